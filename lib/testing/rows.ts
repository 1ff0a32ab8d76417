import pg from "pg";
import { reports } from "@/lib/platform/reports";
import { sql } from "@/lib/platform/sql";

const { builtins } = pg.types;

/** 64-bit integers are exact, and dates do not depend on the time zone of this machine. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [builtins.INT8]: BigInt,
  [builtins.DATE]: (text) => new Date(`${text}T00:00:00Z`),
};
const types = {
  getTypeParser: (type: number, format: "text" | "binary" = "text") =>
    PARSERS[type] ?? pg.types.getTypeParser(type, format as "text"),
};

/** Returns the rows of a statement on facts, by the pool of reports. */
export async function rowsOf<Rows = object[]>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Rows> {
  const { text, values: bound } = sql(strings, ...values);
  const { rows } = await reports().query({ text, values: bound, types: types as pg.CustomTypesConfig });
  return rows as Rows;
}
