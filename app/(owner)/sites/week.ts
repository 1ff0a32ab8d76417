import { Refusal } from "@/lib/contract/errors";
import { execute } from "@/lib/gateway/execute";
import { describeError, log } from "@/lib/log";
import analyticsChart from "@/lib/operations/analytics.chart";

/** The last seven days of a site, as its card shows them. */
export interface Week {
  visitors: number;
  /** Visitors of the seven days before. */
  before: number;
  days: number[];
}

export const EMPTY_WEEK: Week = { visitors: 0, before: 0, days: [0, 0, 0, 0, 0, 0, 0] };

/** @returns "failed" when the numbers could not be read, and "copying" while they are prepared: other sites are shown. */
export async function readWeek(siteId: number, personId: number, now: Date): Promise<Week | "failed" | "copying"> {
  try {
    const { data } = await execute(analyticsChart, {
      principal: { kind: "owner", personId },
      input: { site_id: siteId, period: "7d", interval: "day", compare: "previous_period" },
      now,
    });
    const days = data.buckets.map(({ visitors }) => visitors);
    return { visitors: sum(days), before: sum((data.comparison ?? []).map((day) => day?.visitors ?? 0)), days };
  } catch (error) {
    if (error instanceof Refusal && error.details?.progress !== undefined) return "copying";
    log.warn({ site_id: siteId, ...describeError(error) }, "the card of a site could not be loaded");
    return "failed";
  }
}

const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
