import { z } from "zod";
import { ingestPool } from "@/lib/platform/pool";

/** By what the event of an installation test is known: its page was opened by an address that names the test. */

export const TEST_PARAMETER = "footfall_test";
const NAMED = new RegExp(`[?&]${TEST_PARAMETER}=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\b`);

export const seenEventShape = z.object({
  at: z.iso.datetime(),
  page: z.string().nullable().meta({ description: "The page's hostname and path" }),
  left_out: z
    .string()
    .nullable()
    .meta({ description: "The rule of the site by which a visitor's event like it is not counted; null: it counts" }),
});
export type SeenEvent = z.infer<typeof seenEventShape>;

/** The test that the address of a page names; null for nearly every page. */
export const testNamedIn = (url: string | undefined): string | null =>
  url?.includes(TEST_PARAMETER) ? (NAMED.exec(url)?.[1] ?? null) : null;

/**
 * Tells a test of the site that its event has come.
 *
 * @returns whether there is such a test: its events are no visitor's, also those that come after it has ended.
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
