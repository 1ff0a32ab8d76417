import type { Principal } from "@/lib/contract/define";
import { db, reports } from "@/lib/db";
import { siteFor } from "@/lib/sites/access";

/**
 * Whether a site is alive: when its last event came, and what was turned away in the last two days, most frequent
 * first. Cheap enough to be asked every second.
 *
 * @throws Refusal `site_not_granted`.
 */
export async function pulse(
  principal: Principal,
  siteId: number,
): Promise<{ last_event_at: string | null; refused: { reason: string; hits: number }[] }> {
  await siteFor(db(), principal, siteId, "viewer");
  const [last, refused] = await Promise.all([
    reports().$queryRaw<{ ts: Date }[]>`
      SELECT ts FROM facts.event WHERE site_id = ${siteId} ORDER BY ts DESC LIMIT 1`,
    reports().$queryRaw<{ reason: string; hits: number }[]>`
      SELECT reason, sum(hits)::int AS hits FROM facts.intake
      WHERE site_id = ${siteId} AND outcome IN ('refused', 'filtered') AND day >= current_date - 1
      GROUP BY reason ORDER BY hits DESC, reason LIMIT 10`,
  ]);
  return { last_event_at: last[0]?.ts.toISOString() ?? null, refused };
}
