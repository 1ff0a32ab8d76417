import type pg from "pg";
import { TRAFFIC_CLASSES } from "@/lib/contract/vocabulary";
import type { Kept } from "@/lib/ingest/store/facts";

/**
 * Writes on which days people were there, in the transaction of their events. The salt is held: of a site that ends it in
 * this moment, either nothing is written, or what was is destroyed with the rest.
 */
export function insertReturners(kept: readonly Kept[]): pg.QueryConfig[] {
  const rows = kept.flatMap(({ hit, visit }) => (hit.returner ? [{ ...hit.returner, hit, visit }] : []));
  if (rows.length === 0) return [];
  // In one order everywhere, so that writers of the same rows wait for each other but never in a circle.
  const keyOf = ({ visit, who, day }: (typeof rows)[number]) => `${visit.siteId}/${who}/${day}`;
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return [
    {
      name: "insert-returners",
      text: INSERT_RETURNERS,
      values: [
        rows.map(({ visit }) => visit.siteId),
        rows.map(({ month }) => month),
        rows.map(({ day }) => day),
        rows.map(({ who }) => who),
        rows.map(({ visit }) => visit.referrer),
        rows.map(({ visit }) => visit.campaign),
        rows.map(({ visit }) => visit.place),
        rows.map(({ visit }) => visit.agent),
        rows.map(({ visit }) => TRAFFIC_CLASSES[visit.traffic]),
      ],
    },
  ];
}

const INSERT_RETURNERS = `
  WITH held AS (
    SELECT site_id, month FROM site_month_salt
    WHERE (site_id, month) IN (SELECT * FROM unnest($1::int[], $2::date[])) ORDER BY site_id, month FOR KEY SHARE)
  INSERT INTO facts.returning_visitor (site_id, month, day, who, referrer, campaign, place, agent, traffic)
  SELECT row.* FROM unnest($1::int[], $2::date[], $3::date[], $4::bigint[], $5::int[], $6::int[], $7::int[], $8::int[], $9::smallint[])
    AS row(site_id, month, day, who, referrer, campaign, place, agent, traffic)
  JOIN held USING (site_id, month)
  ON CONFLICT DO NOTHING`;
