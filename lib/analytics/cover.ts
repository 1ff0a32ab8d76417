import { createHash } from "node:crypto";
import { dayNumbers } from "@/lib/analytics/buckets";
import type { IdFilters } from "@/lib/analytics/packed/narrowing";
import type { Range } from "@/lib/analytics/period";
import { lensOf, type Traffic } from "@/lib/contract/vocabulary";
import { reports } from "@/lib/db";
import { firstEvent, firstVisit } from "@/lib/fact-index";
import { startOfDay } from "@/lib/time";

/** How many days the blocks of rollups hold, longest first. */
export const LENGTHS = [64, 8, 1] as const;
export type Length = (typeof LENGTHS)[number];

/** Which part of a range sealed blocks answer, and which is left to the facts. */
export interface Cover {
  /** Null where rollups answer it; else packed days do, of one day each, and narrowed to this. */
  packed: IdFilters | null;
  /** Tells packed days as they are from what they become when they are packed anew; empty where rollups answer. */
  version: string;
  blocks: Record<Length, number[]>;
  /** Of the range's days, by their number in it: the sealed ones, with their blocks. */
  days: Map<number, number>;
  gaps: { start: Date; end: Date }[];
  /** The beginning of a day before which there are no facts; null where nobody has looked. */
  since: Date | null;
}

/** The same where packed days answer. */
export type PackedCover = Cover & { packed: IdFilters };

/** With more holes than these the rollups are being rebuilt: the facts answer faster in one piece. */
const MOST_GAPS = 8;

/**
 * How sealed blocks cover the whole local days of a range. Null when they do not.
 *
 * @param days when each local day of the range begins.
 */
export async function coverOf(siteId: number, range: Range, traffic: Traffic, days: Date[]): Promise<Cover | null> {
  const { numbers, first, last } = numbered(days, range);
  const sealed = await reports().$queryRaw<{ length: Length; block: number }[]>`
    SELECT length, block FROM facts.sealed
    WHERE site_id = ${siteId} AND traffic = ${lensOf(traffic)} AND timezone = ${range.timezone}
      AND block * length::int BETWEEN ${first} AND ${last}`;
  const known = new Set(sealed.map(({ length, block }) => `${length}/${block}`));
  return known.size > 0 ? withoutEmptyDays(siteId, days, choose(range, days, numbers, known)) : null;
}

/** How packed days cover those of a range, for a question that is narrowed to this. Null when they do not. */
export async function packedCoverOf(
  siteId: number,
  range: Range,
  days: Date[],
  filters: IdFilters,
): Promise<PackedCover | null> {
  const { numbers, first, last } = numbered(days, range);
  // All chunks of a day are written by one transaction.
  const packed = await reports().$queryRaw<{ block: number; version: string }[]>`
    SELECT block, packed.xmin::text AS version FROM facts.packed AS packed JOIN facts.sealed USING (site_id, block, timezone)
    WHERE site_id = ${siteId} AND chunk = 0 AND length = 1 AND traffic = ${lensOf("all")}
      AND timezone = ${range.timezone} AND block BETWEEN ${first} AND ${last} ORDER BY block`;
  const known = new Set(packed.map(({ block }) => `1/${block}`));
  const cover = known.size > 0 ? await withoutEmptyDays(siteId, days, choose(range, days, numbers, known)) : null;
  const version = createHash("sha256").update(JSON.stringify(packed)).digest("base64url");
  return cover && { ...cover, packed: filters, version };
}

/** So many days of facts are read sooner than it is found out that there are none. */
const FEW_DAYS = 7;

/** Before a site's first fact there is nothing to be read, which a statement about a year of partitions is slow to tell. */
async function withoutEmptyDays(siteId: number, days: Date[], cover: Cover | null): Promise<Cover | null> {
  const [gap] = cover?.gaps ?? [];
  if (!cover || !gap || gap.start !== days[0] || gap.end <= (days[FEW_DAYS] ?? gap.end)) return cover;
  const [row] = await reports().$queryRaw<{ first: Date | null }[]>`
    SELECT least((${firstEvent(siteId)}),
                 (${firstVisit(siteId)})) AS first`;
  return { ...cover, since: days.findLast((day) => day <= (row?.first ?? gap.end)) ?? gap.start };
}

/** Days by their numbers. */
function numbered(days: Date[], { timezone }: Range): { numbers: number[]; first: number; last: number } {
  const numbers = dayNumbers(days, timezone);
  return { numbers, first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0 };
}

/** Takes the longest sealed block at each day, from the first to the last. */
function choose(range: Range, days: Date[], numbers: number[], known: ReadonlySet<string>): Cover | null {
  const cover: Cover = {
    packed: null,
    version: "",
    blocks: { 64: [], 8: [], 1: [] },
    days: new Map(),
    gaps: [],
    since: null,
  };
  const lastWhole = lastWholeDay(range, numbers);
  let index =
    startOfDay(range.from, range.timezone).getTime() === range.start.getTime() ? 0 : skip(cover, range, days, 0);
  for (const [place, number] of numbers.entries()) if (known.has(`1/${number}`)) cover.days.set(place, number);
  while (index < days.length) {
    const number = numbers[index] as number;
    const length = LENGTHS.find(
      (days) => number % days === 0 && number + days - 1 <= lastWhole && known.has(`${days}/${number / days}`),
    );
    if (length === undefined) index = skip(cover, range, days, index);
    else {
      cover.blocks[length].push(number / length);
      // A date that never happened has no day in the range.
      while (index < numbers.length && (numbers[index] as number) < number + length) index++;
    }
  }
  const found = LENGTHS.some((length) => cover.blocks[length].length > 0);
  return found && cover.gaps.length <= MOST_GAPS ? cover : null;
}

/** Leaves one day to the facts. @returns the next. */
function skip({ gaps, days: sealed }: Cover, range: Range, days: Date[], index: number): number {
  sealed.delete(index);
  const [start, end] = [days[index] as Date, days[index + 1] ?? range.end];
  const before = gaps.at(-1);
  if (before?.end.getTime() === start.getTime()) before.end = end;
  else gaps.push({ start, end });
  return index + 1;
}

/** The last day of a range that lies within it as a whole. */
function lastWholeDay({ to, end, timezone }: Range, numbers: number[]): number {
  const whole = end.getTime() >= startOfDay(to.add({ days: 1 }), timezone).getTime();
  return (numbers.at(-1) ?? 0) - (whole ? 0 : 1);
}
