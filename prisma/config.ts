import { defineConfig } from "prisma/config";

// `prisma generate` requires an engine binary but never runs it; any existing file works.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "schema.prisma" });
