import { build } from "esbuild";
import { expect, test } from "vitest";
import { program } from "@/lib/cli/bundle.mjs";

test("the program of the ingest worker does not load Prisma", async () => {
  const entryPoints = { ingest: "lib/server/ingest-worker.ts" };
  const { metafile } = await build({ ...program, entryPoints, write: false, metafile: true });
  const files = Object.keys(metafile.inputs);
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  expect(files).toContain("lib/ingest/store/commit.ts");
  expect(imported).toContain("pg");
  expect([...files, ...imported].filter((name) => /prisma/i.test(name))).toEqual([]);
});
