import { z } from "zod";
import { invalidInput } from "@/lib/contract/errors";
import { seal, unseal } from "@/lib/secrets";

/**
 * Where a reader of a site's events stands. Events become visible in the order in which their transactions commit, which
 * is no order of any column; so a cursor is what Postgres itself knows of it: the snapshot (`pg_current_snapshot`) that
 * the last answer was read from. New is what that snapshot did not see and the present one does: that way no event can be
 * skipped and none repeated, however long its transaction took.
 */
export interface Cursor {
  /** The snapshot whose events have all been returned. */
  seen: string;
  /** When that was, in epoch milliseconds: an event that it did not see came at most `LONGEST_WRITE_MS` before. */
  at: number;
  /** An answer that did not hold all events goes on within the same two snapshots, after this many of one moment. */
  within: { next: string; nextAt: number; ts: string; returned: number } | null;
}

/** Who comes back later than this starts again. */
const LONGEST_AWAY_MS = 24 * 3600_000;
const LONGEST_CURSOR = 20_000;

const shape = z.tuple([z.string(), z.number(), z.tuple([z.string(), z.number(), z.string(), z.number()]).nullable()]);

const placeOf = (siteId: number) => `cursor:${siteId}`;

/** A cursor as text that only this site's reports can read. */
export function writeCursor(siteId: number, { seen, at, within }: Cursor): string {
  const plain = [seen, at, within && [within.next, within.nextAt, within.ts, within.returned]];
  return seal(Buffer.from(JSON.stringify(plain)), placeOf(siteId)).toString("base64url");
}

/** @throws Refusal `invalid_input` for text that is none of this site's cursors, and for one of more than a day ago. */
export function readCursor(siteId: number, text: string, now: Date): Cursor {
  const cursor = opened(siteId, text);
  if (!cursor) throw unusable("is not a cursor of this site");
  if (now.getTime() - (cursor.within?.nextAt ?? cursor.at) > LONGEST_AWAY_MS) throw unusable("is more than a day old");
  return cursor;
}

export const unusable = (why: string) =>
  invalidInput([{ path: "since", message: `${why}; leave it out and go on from the cursor of that answer` }]);

function opened(siteId: number, text: string): Cursor | null {
  if (text.length > LONGEST_CURSOR) return null;
  try {
    const plain = unseal(Buffer.from(text, "base64url"), placeOf(siteId));
    const [seen, at, within] = shape.parse(JSON.parse(plain.toString()));
    if (!within) return { seen, at, within };
    const [next, nextAt, ts, returned] = within;
    return { seen, at, within: { next, nextAt, ts, returned } };
  } catch {
    return null;
  }
}
