import { reports } from "@/lib/db";
import type { IntakeOutcome } from "@/lib/ingest/store/intake";

export const INTAKE_DAYS = 30;

/** What became of so many events of a site, and why; `reason` is `''` where there is none to give. */
export interface Intake {
  outcome: IntakeOutcome;
  reason: string;
  hits: number;
  /** How many of them today (UTC). */
  today: number;
}

/** What became of a site's events in the last 30 days (UTC, today included), the most frequent first. */
export function readIntake(siteId: number, now: Date): Promise<Intake[]> {
  const day = now.toISOString().slice(0, 10);
  const since = new Date(now.getTime() - (INTAKE_DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
  return reports().$queryRaw<Intake[]>`
    SELECT outcome, reason, sum(hits)::float8 AS hits,
           coalesce(sum(hits) FILTER (WHERE day = ${day}::date), 0)::float8 AS today
    FROM facts.intake
    WHERE site_id = ${siteId} AND day >= ${since}::date
    GROUP BY outcome, reason ORDER BY hits DESC, outcome, reason`;
}
