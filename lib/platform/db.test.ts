import { expect, test } from "vitest";
import { db } from "@/lib/platform/db";
import { isDatabaseUnavailable } from "@/lib/platform/pool";

const failure = (code: string): Promise<unknown> =>
  db()
    .$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`)
    .then(
      () => null,
      (error: unknown) => error,
    );

test.for([
  ["57P01", true],
  ["57P03", true],
  ["53300", true],
  ["58030", true],
  ["08006", true],
  ["23514", false],
  ["42601", false],
] as const)("a raw statement that fails with %s is classified as unavailable or not: %s", async ([code, away]) => {
  expect(isDatabaseUnavailable(await failure(code))).toBe(away);
});

test("a raw statement whose Postgres process is terminated counts as an unavailable database", async () => {
  const ended = db().$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`.then(
    () => null,
    (error: unknown) => error,
  );
  expect(isDatabaseUnavailable(await ended)).toBe(true);
});
