import {
  BIGINT,
  DOUBLE,
  type DuckDBConnection,
  DuckDBTimestampValue,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  VARCHAR,
} from "@duckdb/node-api";

/** A value that is bound to a statement. */
type Value = number | string | boolean | bigint | Date | null | readonly (number | string | null)[];
export interface Statement {
  sql: string;
  values: readonly Value[];
}
export type Row = Record<string, unknown>;

/** Runs one statement. @returns its rows: numbers (64-bit ones as doubles), strings, lists and dates. */
export async function runStatement(connection: DuckDBConnection, { sql, values }: Statement): Promise<Row[]> {
  const reader = await connection.runAndReadAll(sql, values.map(bound), values.map(typeOf) as DuckDBType[]);
  return reader.getRowObjectsJS().map((row) => plain(row) as Row);
}

function bound(value: Value): DuckDBValue {
  if (value instanceof Date) return new DuckDBTimestampValue(BigInt(value.getTime()) * 1000n);
  if (!Array.isArray(value)) return value as DuckDBValue;
  const areWhole = value.every(Number.isInteger);
  return listValue(value.map((one) => (areWhole ? BigInt(one as number) : (one as string | number | null))));
}

function typeOf(value: Value): DuckDBType | undefined {
  if (!Array.isArray(value)) return undefined;
  if (value.length > 0 && value.every(Number.isInteger)) return LIST(BIGINT);
  return LIST(value.length > 0 && value.every((one) => typeof one === "number") ? DOUBLE : VARCHAR);
}

/** 64-bit numbers as doubles, as everywhere in answers. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}
