import type { RE2JS } from "re2js";
import { type DimensionKey, dimensionOf } from "@/lib/analytics/dimensions";
import { type Matcher, matcherOf } from "@/lib/analytics/patterns";
import type { Range } from "@/lib/analytics/period";
import { invalidInput } from "@/lib/contract/errors";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import { Prisma, reports, reportWork } from "@/lib/db";
import { propertyValues, wordsIn } from "@/lib/ingest/store/event-log";

/** Finds what a pattern matches. Values are read from Postgres and matched here, where RE2 is. */

/** A condition that more values meet does not narrow a report, and its list of ids would grow without bound. */
export const MOST_WORDS = 50_000;
const WORDS_A_PAGE = 5_000;
/** Values of one property; they are read at once. */
const MOST_PROPERTY_VALUES = 20_000;

export const tooManyWords = (path: string) =>
  invalidInput([{ path, message: `is met by more than ${MOST_WORDS} values; narrow it` }]);

/** @returns the ids of the dimension values that the pattern matches; 0 is the unknown value. */
export async function idsMatching(siteId: number, key: DimensionKey, pattern: RE2JS, path: string): Promise<number[]> {
  const match = matcherOf(pattern, path);
  const ids = pattern.test("") ? [0] : [];
  for await (const page of wordPages(siteId, key)) {
    const matched = await inTurn(match, page.words);
    ids.push(...page.ids.filter((_, index) => matched[index]));
    if (ids.length > MOST_WORDS) throw tooManyWords(path);
  }
  return ids;
}

/**
 * @param span the time in which events may have the property.
 * @returns the values of a property that the pattern matches; `''` stands for none.
 */
export async function propertyValuesMatching(
  siteId: number,
  name: string,
  { pattern, path, span }: { pattern: RE2JS; path: string; span: Pick<Range, "start" | "end"> },
): Promise<string[]> {
  const values = ["", ...(await propertyValues(siteId, name, span, MOST_PROPERTY_VALUES + 1))];
  if (values.length > MOST_PROPERTY_VALUES + 1) {
    const message = `has more than ${MOST_PROPERTY_VALUES} values in these days; use contains or starts_with, or a shorter range`;
    throw invalidInput([{ path, message }]);
  }
  const matched = await inTurn(matcherOf(pattern, path), values);
  return values.filter((_, index) => matched[index]);
}

/** SQL for a dictionary as a table `(id, word)` of one site; `''` is unknown. The id 0 is in none of them. */
export function wordsOf(key: DimensionKey, siteId: number): Prisma.Sql {
  const { dictionary, word } = dimensionOf(key);
  if (dictionary === null) return TRAFFIC_WORDS;
  return wordsIn(siteId, Prisma.raw(dictionary), Prisma.raw(word));
}

const TRAFFIC_WORDS = Prisma.sql`(VALUES ${Prisma.join(
  Object.entries(TRAFFIC_CLASSES).map(([name, id]) => Prisma.sql`(${id}::smallint, ${name}::text)`),
)})`;

/** Matching counts as report time of the caller, as statements do. */
const inTurn = (match: Matcher, values: readonly string[]): Promise<boolean[]> =>
  reportWork().inTurn((signal) => match(values, signal));

interface Page {
  ids: number[];
  words: string[];
}

/** The dimension values of a site, some thousand at a time. */
async function* wordPages(siteId: number, key: DimensionKey): AsyncGenerator<Page> {
  for (let after = -1, length = WORDS_A_PAGE; length === WORDS_A_PAGE; ) {
    // As JSON, which is parsed far faster than rows.
    const [row] = await reports().$queryRaw<{ [Key in keyof Page]: Page[Key] | null }[]>`
      SELECT json_agg(id ORDER BY id) AS ids, json_agg(word ORDER BY id) AS words FROM (
        SELECT id, word FROM ${wordsOf(key, siteId)} AS words(id, word)
        WHERE id > ${after} ORDER BY id LIMIT ${WORDS_A_PAGE}) AS page`;
    const { ids, words } = { ids: row?.ids ?? [], words: row?.words ?? [] };
    length = ids.length;
    after = ids.at(-1) ?? after;
    yield { ids, words };
  }
}
