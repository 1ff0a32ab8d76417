import { Refusal } from "@/lib/contract/errors";
import { COMPARISONS, type Comparison, type Period, type Question } from "@/lib/contract/fields";
import { PERIODS, TRAFFIC, type Traffic } from "@/lib/contract/vocabulary";
import { db } from "@/lib/db";

/** A question as its saved parts complete it. */
interface View {
  /** What the segment and the dashboard narrow to, besides the filters of the question itself. */
  filters: Record<string, unknown>[];
  period: Period | null;
  from: string | null;
  to: string | null;
  traffic: Traffic | null;
  compare: Comparison | null;
}

/**
 * Adds what the segment and the dashboard of a question say. Their filters are AND-ed with those of the question; the
 * range, traffic and comparison of a dashboard hold where the question itself is silent.
 *
 * @throws Refusal `not_found` for a segment or dashboard that is not this site's.
 */
export async function savedView(siteId: number, asked: Question): Promise<View> {
  const [segment, dashboard] = await Promise.all([
    asked.segment ? db().segment.findFirst({ where: { id: asked.segment, siteId } }) : null,
    asked.dashboard ? db().dashboard.findFirst({ where: { id: asked.dashboard, siteId } }) : null,
  ]);
  if (asked.segment && !segment) throw missing("segment");
  if (asked.dashboard && !dashboard) throw missing("dashboard");
  const saved = [segment, dashboard].flatMap((one) => (one ? [one.filters as Record<string, unknown>] : []));
  const { period = null, from = null, to = null } = asked;
  const ownRange = period ?? from ?? to;
  return {
    filters: saved,
    period: ownRange ? period : known(PERIODS, dashboard?.period),
    from: ownRange ? from : (dashboard?.from ?? null),
    to: ownRange ? to : (dashboard?.to ?? null),
    traffic: asked.traffic ?? known(TRAFFIC, dashboard?.traffic),
    compare: asked.compare ?? known(COMPARISONS, dashboard?.compare),
  };
}

/** A word that was saved, as far as it is one of those there are. */
const known = <Words extends object>(words: Words, word: string | null | undefined): keyof Words | null =>
  word && Object.hasOwn(words, word) ? (word as keyof Words) : null;

const missing = (what: "segment" | "dashboard") =>
  new Refusal("not_found", `The site has no ${what} of this id; leave ${what} out, or take one of the site's own.`);
