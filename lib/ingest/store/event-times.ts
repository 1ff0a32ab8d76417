import { reports } from "@/lib/platform/db";

/** The times of a site's first and last events; null where it has none. */

export async function firstEventAt(siteId: number): Promise<Date | null> {
  const [first] = await reports().$queryRaw<{ ts: Date }[]>`
    SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts LIMIT 1`;
  return first?.ts ?? null;
}

export async function lastEventAt(siteId: number): Promise<Date | null> {
  const [last] = await reports().$queryRaw<{ ts: Date }[]>`
    SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts DESC LIMIT 1`;
  return last?.ts ?? null;
}
