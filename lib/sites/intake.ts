import { type Intake, intakeSince } from "@/lib/ingest/store/intake-counts";

export const INTAKE_DAYS = 30;

/** What became of a site's events in the last 30 days (UTC, today included), the most frequent first. */
export function readIntake(siteId: number, now: Date): Promise<Intake[]> {
  const since = new Date(now.getTime() - (INTAKE_DAYS - 1) * 86_400_000);
  return intakeSince(siteId, since.toISOString().slice(0, 10), now.toISOString().slice(0, 10));
}
