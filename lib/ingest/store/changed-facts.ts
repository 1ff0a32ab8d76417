/**
 * Reports read copies of facts (lib/analytics/engine). A copy finds new events by itself, and the visits that their
 * transactions wrote. Code that changes, deletes or backdates facts, or writes a visit without an event, must record, in its
 * own transaction, the time span that copies have to read again.
 */
export interface ChangedSpan {
  siteId: number;
  /** null: from the beginning. */
  start: Date | null;
  /** Exclusive; null: no end. An empty span means that only dictionaries changed. */
  end: Date | null;
}

/** How long spans are stored. A copy that was not updated for 14 days is rebuilt. */
const RETENTION_DAYS = 30;

/** Returns the statement that records changed spans. */
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

/** Deletes spans that every copy has read. */
export const DELETE_OLD_CHANGES = `DELETE FROM facts.change WHERE at < now() - interval '${RETENTION_DAYS} days'`;
