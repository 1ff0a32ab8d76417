import { createHash } from "node:crypto";

/** Lines that are remembered for telling equal ones apart; equal lines stand close together, for they share a second. */
const REMEMBERED = 50_000;

/**
 * Ids of lines: their text and how often it has been there, so that equal lines are events of their own, and have the
 * same ids again whenever the log is read from its beginning.
 */
export function identifyLines(site: string): (line: string) => string {
  let recent = new Map<string, number>();
  let before = new Map<string, number>();
  return (line) => {
    const digest = createHash("sha256").update(`${site}\n${line}`).digest("base64url").slice(0, 26);
    const times = recent.get(digest) ?? before.get(digest) ?? 0;
    if (recent.size === REMEMBERED) [before, recent] = [recent, new Map()];
    recent.set(digest, times + 1);
    return times === 0 ? digest : `${digest}_${times.toString(36)}`.slice(0, 32);
  };
}
