import type { PackedCover } from "@/lib/analytics/cover";
import { NAMED_EVENTS } from "@/lib/analytics/event-types";
import { tally } from "@/lib/analytics/packed/counters";
import { type Asked, type Counts, TooManyGroups } from "@/lib/analytics/packed/tally";
import type { Scope } from "@/lib/analytics/question";
import { type Lists, listsOf, rolledUp } from "@/lib/analytics/rollup-lists";
import { packedFor, unsealed } from "@/lib/analytics/sources";
import type { Sums } from "@/lib/analytics/sums";

/** What sealed days come to by ids: of events, campaigns and channels, beyond the dimensions that reports share. */

export interface Listing extends Asked {
  /** The number that rollups know it by; null where they do not, and packed days are counted. */
  rollup: number | null;
  sums: readonly (keyof Sums)[];
}

/** How often events of a kind happened, and to how many visitors. */
const passing = (rollup: number | null, by: Asked["by"], of: NonNullable<Asked["of"]>): Listing => ({
  rollup,
  by,
  of,
  parts: ["visits", "events"],
  sums: ["visitors", "events"],
});

/** By the name of an event, passive ones too. */
export const EVENT_NAMES = passing(16, ["event"], [{ types: NAMED_EVENTS }]);
/** By campaign, all five words of it together; 0 is none. */
export const CAMPAIGNS: Listing = {
  rollup: 17,
  by: ["campaign_row"],
  parts: ["visits", "events"],
  sums: ["visitors", "visits", "bounces", "pageviews"],
};
/** Conversions by campaign and by channel, of a site without goals. */
export const defaultConversions = (events: NonNullable<Asked["of"]>): Record<"campaign" | "channel", Listing> => ({
  campaign: passing(18, ["campaign_row"], events),
  channel: passing(19, ["channel"], events),
});
/** The same of a site with goals, which rollups do not hold. */
export const goalConversions = (goals: NonNullable<Asked["of"]>): Record<"campaign" | "channel", Listing> => ({
  campaign: passing(null, ["campaign_row"], goals),
  channel: passing(null, ["channel"], goals),
});
/** Of everything, a goal. */
export const reachings = (goal: NonNullable<Asked["of"]>[number]): Listing => passing(null, [], [goal]);
/** By the referrer as it is, of which its channel's rule is told. */
export const REFERRERS: Listing = { rollup: 20, by: ["referrer_row"], parts: ["visits"], sums: ["visits"] };

/** Those that rollups hold. @param converts the events that convert without goals. */
export const rolledListings = (converts: NonNullable<Asked["of"]>): Listing[] => [
  EVENT_NAMES,
  CAMPAIGNS,
  ...Object.values(defaultConversions(converts)),
  REFERRERS,
];

export interface Listed {
  /** Of each of what was asked. */
  lists: readonly Lists[];
  /** The parts of the scope that are left to the facts. */
  left: Scope[];
}

/** Sums of a scope's sealed days, from rollups where these know all of them, and else from packed days in one pass. */
export async function listed(scope: Scope, asked: readonly Listing[]): Promise<Listed> {
  const { sealed } = scope;
  if (sealed && !sealed.packed && asked.every(({ rollup }) => rollup !== null)) {
    const reads = asked.map(({ rollup, sums }) => ({ dimension: rollup ?? 0, sums }));
    return { lists: await rolledUp(scope, sealed, reads), left: unsealed(scope) };
  }
  const { counts, left } = await countedIn(scope, asked.length > 0 ? await packedFor(scope) : null, asked);
  return { lists: counts?.map((one, index) => listsOf(one, asked[index]?.sums)) ?? [], left };
}

/**
 * What packed days come to, for each of what is asked, and the parts of the scope that are left to the facts: all of it
 * where these days do not answer.
 *
 * @param pieceDays as of `unsealed`.
 */
export async function countedIn(
  scope: Scope,
  packed: PackedCover | null,
  asked: readonly Asked[],
  pieceDays?: number,
): Promise<{ counts: Counts[] | null; left: Scope[] }> {
  const counts = packed && (await tally(scope, packed, asked).catch(tooMany));
  return { counts, left: unsealed({ ...scope, sealed: counts && packed }, pieceDays) };
}

/** What has too many values to be told apart here is left to the facts. */
function tooMany(error: unknown): Counts[] | null {
  if (error instanceof TooManyGroups) return null;
  throw error;
}
