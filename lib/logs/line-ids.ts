import { createHash } from "node:crypto";

/** Number of recent lines to compare with. Equal lines have the same second, so they are close together. */
const WINDOW = 50_000;

/**
 * Returns a function that derives event ids from lines: a digest of the text and its occurrence number. Equal lines get
 * different ids, and reading the log again gives the same ids.
 */
export function identifyLines(site: string): (line: string) => string {
  let recent = new Map<string, number>();
  let before = new Map<string, number>();
  return (line) => {
    const digest = createHash("sha256").update(`${site}\n${line}`).digest("base64url").slice(0, 26);
    const occurrence = recent.get(digest) ?? before.get(digest) ?? 0;
    if (recent.size === WINDOW) [before, recent] = [recent, new Map()];
    recent.set(digest, occurrence + 1);
    return occurrence === 0 ? digest : `${digest}_${occurrence.toString(36)}`.slice(0, 32);
  };
}
