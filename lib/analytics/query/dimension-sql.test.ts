import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { ofTypes } from "@/lib/analytics/query/dimension-sql";
import { EVENT_TYPES } from "@/lib/contract/vocabulary";

test("a condition on types of events selects events of exactly these types", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  onTestFinished(() => instance.closeSync());
  const connection = await instance.connect();
  const known = Object.values(EVENT_TYPES);
  await connection.run(`CREATE TABLE fact AS SELECT unnest([${known.join(", ")}]) AS type`);
  const types = fc.subarray(known, { minLength: 1 }).chain((some) => fc.shuffledSubarray(some, { minLength: 1 }));
  await fc.assert(
    fc.asyncProperty(types, async (some) => {
      const { sql, values } = ofTypes(some);
      expect(values).toEqual([]);
      const found = await connection.runAndReadAll(`SELECT type FROM fact WHERE ${sql} ORDER BY type`);
      expect(found.getRowsJS().flat()).toEqual([...some].sort((one, other) => one - other));
    }),
  );
});
