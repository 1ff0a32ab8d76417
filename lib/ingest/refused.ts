import { Refusal } from "@/lib/contract/errors";
import { countIntake } from "@/lib/ingest/intake";
import { eventShape } from "@/lib/ingest/schema";

/** What is refused is counted for the owner of the site, by why and by day. */

/** Only these are counted by their names: strangers' words would never end. */
const COUNTED: ReadonlySet<string> = new Set([
  ...Object.keys(eventShape.shape),
  ...["properties", "context"],
  ...["Origin", "X-Forwarded-For", "X-Footfall-Timestamp", "X-Footfall-Signature"],
]);

/** Counts what was refused with this code, for what was wrong with this field, if with one. */
export function countRefused(siteId: number, now: Date, code: string, field = "", hits = 1): void {
  countIntake(siteId, now, "refused", COUNTED.has(field) ? `${code}:${field}` : code, hits);
}

/** Counts a refusal by its code and the first field that it names. Whatever else was thrown is no refusal. */
export function countRefusal(siteId: number, now: Date, error: unknown, hits = 1): void {
  if (!(error instanceof Refusal)) return;
  const path = (error.details?.issues as { path: string }[] | undefined)?.[0]?.path ?? "";
  countRefused(siteId, now, error.code, path.split(".", 1)[0], hits);
}

/** Does what may be refused, and counts it as so many events if it is. */
export async function countingRefusals<T>(
  siteId: number,
  now: Date,
  hits: number,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    countRefusal(siteId, now, error, hits);
    throw error;
  }
}
