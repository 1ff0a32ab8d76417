/**
 * Reports read copies of facts (lib/analytics/engine). A copy finds new events by itself; what changes or removes old facts,
 * or writes facts of old times, says which span of time a copy has to read again. It says so in its own transaction.
 */
export interface ChangedSpan {
  siteId: number;
  /** null: from the beginning. */
  start: Date | null;
  /** Not one of its moments; null: without end. A span of no length says that dictionaries alone have changed. */
  end: Date | null;
}

/** How long these spans are kept. A copy that has not looked for 14 days is made anew. */
const KEPT_DAYS = 30;

/** The statement that names changed spans. */
export const changedFacts = (spans: readonly ChangedSpan[]): { text: string; values: [string, string, string] } => ({
  text: `INSERT INTO facts.change (site_id, start, "end")
         SELECT * FROM unnest($1::int[], $2::timestamptz[], $3::timestamptz[])`,
  values: [
    arrayOf(spans.map(({ siteId }) => `${siteId}`)),
    arrayOf(spans.map(({ start }) => start?.toISOString() ?? "-infinity")),
    arrayOf(spans.map(({ end }) => end?.toISOString() ?? "infinity")),
  ],
});

const arrayOf = (values: readonly string[]): string => `{${values.join(",")}}`;

/** The statement that removes spans which every copy has read. */
export const DELETE_OLD_CHANGES = `DELETE FROM facts.change WHERE at < now() - interval '${KEPT_DAYS} days'`;
