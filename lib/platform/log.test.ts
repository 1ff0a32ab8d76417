import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { db, Prisma } from "@/lib/platform/db";
import { Fault, OperatorError, Refusal } from "@/lib/platform/errors";
import { describeError } from "@/lib/platform/log";
import { ingestPool } from "@/lib/platform/pool";

const VISITOR = "jane.doe+7@example.com";

const thrown = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test("an error of our own is logged with its message, its stack and its causes", () => {
  const cause = new OperatorError("Postgres did not start.");
  const described = describeError(new Fault("The salt of the day was deleted", { cause }));
  expect(described).toMatchObject({ message: "The salt of the day was deleted", cause: { message: cause.message } });
  expect(described.at).toContain("log.test.ts");
  expect(describeError(new Refusal("unavailable", "Reports are being restarted.")).message).toBe(
    "Reports are being restarted.",
  );
});

test("an error of Postgres is logged with its SQLSTATE and the template of its message, whichever client reports it", async () => {
  const database = (sql: string, ...values: unknown[]) =>
    ingestPool()
      .query(sql, values)
      .catch((error) => error);
  expect(describeError(await database("SELECT $1::int", VISITOR))).toMatchObject({
    sqlstate: "22P02",
    message: "invalid input syntax for type integer",
  });
  const twice = await database(
    "INSERT INTO job (name, every_ms, next_at) SELECT $1, 1, now() FROM generate_series(1, 2)",
    VISITOR,
  );
  expect(describeError(twice)).toMatchObject({
    sqlstate: "23505",
    message: "duplicate key value violates unique constraint …",
    table: "job",
    constraint: "job_pkey",
  });
  const raw = await db()
    .$queryRaw(Prisma.sql`SELECT ${VISITOR}::text::int`)
    .catch((error) => error);
  expect(describeError(raw)).toMatchObject({
    sqlstate: "22P02",
    message: expect.stringMatching(/^invalid input syntax/),
  });
  for (const error of [twice, raw]) expect(JSON.stringify(describeError(error))).not.toContain("jane");
});

test("a statement that Postgres does not support is logged with the reason", async () => {
  const refused = ingestPool().query("CREATE UNIQUE INDEX ON facts.event (visit_id)");
  expect(describeError(await refused.catch((error) => error))).toMatchObject({
    sqlstate: "0A000",
    message: "unique constraint on partitioned table must include all partitioning columns",
    detail: "UNIQUE constraint on table … which is part of the partition key.",
  });
});

test("faults of the system, of the engine and of DuckDB are logged with what the program wrote in their messages", () => {
  const isRunning = undefined as unknown as { now(): void };
  expect(describeError(thrown(() => isRunning.now()))).toMatchObject({
    error: "TypeError",
    message: "Cannot read properties of undefined",
  });
  expect(describeError(new TypeError("isRunning is not a function")).message).toBe("isRunning is not a function");
  expect(describeError(thrown(() => rmSync(`/nowhere/${VISITOR}`)))).toMatchObject({
    code: "ENOENT",
    message: expect.stringMatching(/^no such file or directory/),
  });
  const full = 'IO Error: Could not write file "/data/7.duckdb": No space left on device';
  expect(describeError(new Error(full)).message).toBe(full);
  expect(describeError(new Error(`Conversion Error: Could not convert string '${VISITOR}' to INT32`)).message).toBe(
    "Conversion Error",
  );
});

test("no message of others takes a visitor's data into the log", () => {
  const hostile = [
    thrown(() => JSON.parse(VISITOR)),
    thrown(() => new Intl.DateTimeFormat("en", { timeZone: VISITOR })),
    thrown(() => new Headers({ [VISITOR]: "\n" })),
    thrown(() => decodeURIComponent(`%${VISITOR}`)),
    thrown(() => new URL(VISITOR)),
    thrown(() => BigInt(VISITOR)),
    new Error(VISITOR),
    new Error(`failed\n    at ${VISITOR} (visitor.js:1:1)`),
    new Error("failed", { cause: new Error(VISITOR) }),
    Object.assign(new Error("failed"), { code: VISITOR, name: VISITOR, detail: VISITOR }),
    Object.assign(new Error(`${VISITOR} „${VISITOR}“`), { code: "23505", severity: "FEHLER", detail: VISITOR }),
    Object.assign(new Error("x"), { code: "22P02", severity: "ERROR", table: VISITOR, constraint: VISITOR }),
    Object.assign(new Error(`«${VISITOR}»: ${VISITOR}`), { code: "22P02", severity: "ERREUR" }),
    new Refusal("invalid_input", `${VISITOR} must be a number.`),
    new TypeError(`string "${VISITOR}" is not iterable`),
    VISITOR,
  ];
  for (const error of hostile) expect(JSON.stringify(describeError(error)), `${error}`).not.toMatch(/jane|doe/);
});
