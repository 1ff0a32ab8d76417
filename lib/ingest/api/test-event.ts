import { z } from "zod";
import { ingestPool } from "@/lib/platform/pool";

/** Recognises the event of an installation test: the URL of its page names the test. */

export const TEST_PARAMETER = "footfall_test";
const TEST_ID = new RegExp(`[?&]${TEST_PARAMETER}=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\b`);

export const seenEventShape = z.object({
  at: z.iso.datetime(),
  page: z.string().nullable().meta({ description: "The page's hostname and path" }),
  left_out: z
    .string()
    .nullable()
    .meta({ description: "The filter reason that applies to such an event of a visitor; null: it is counted" }),
});
export type SeenEvent = z.infer<typeof seenEventShape>;

/** Returns the test that a page URL names, or null. */
export const testIdIn = (url: string | undefined): string | null =>
  url?.includes(TEST_PARAMETER) ? (TEST_ID.exec(url)?.[1] ?? null) : null;

/**
 * Stores the event of an installation test.
 *
 * @returns whether the site has that test: its events are never counted, even after the test has ended.
 */
export async function recordTestEvent(siteId: number, testId: string, event: SeenEvent, now: Date): Promise<boolean> {
  const { rowCount } = await ingestPool().query({
    name: "note-test-event",
    text: `UPDATE installation_test
           SET event = CASE WHEN status IN ('queued', 'fetching', 'waiting') AND expires_at > $4::timestamptz
                            THEN coalesce(event, $3::jsonb) ELSE event END
           WHERE id = $1::uuid AND site_id = $2 AND created_at > $4::timestamptz - interval '1 hour'`,
    values: [testId, siteId, JSON.stringify(event), now],
  });
  return rowCount === 1;
}
