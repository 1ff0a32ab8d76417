import { defineConfig } from "prisma/config";

// `prisma generate` looks for an engine binary that it never runs; any existing file will do.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: "schema.prisma" });
