import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const CHECKED = ["app", "bench", "components", "e2e", "lib"];

/** Words of the old dialect with their replacements. */
const BANNED: readonly [word: RegExp, instead: string][] = [
  [/\b(told|tells|teller)\b/i, "report, format, notify or describe"],
  [/\b(whoever|whom)\b/i, "name the actor"],
  [/\bheed(s|ed)?\b/i, "apply"],
  [/\bdeeds?\b/i, "operation"],
  [/\bcomes to\b/i, "is"],
  [/\bgoes on\b/i, "continues"],
  [/\bof ours\b/i, "our"],
  [/\bas there are\b/i, "the number of"],
  [/\baskers?\b/i, "caller"],
  [/\b(askAs|askHuman|askAsAnyone)\b/, "queryAs, requestApproval, queryPublicSite"],
  [/\bdoomed\b/i, "expired"],
  [/\bkeeping\b/i, "retention"],
  [/\bstakes?\b/i, "reservation"],
  [/\blanes?\b/i, "path"],
  [/\bwish(es)?\b/i, "approval request"],
  [/\bnoes\b/i, "denials"],
  [/\bwriteLetter\b|\bemail letters?\b/i, "email"],
  [/\banew\b/i, "again"],
  [/\bshelf\b/i, "state"],
  [/\bspend(s|ing)?\b|\bunspent\b/, "consume"],
];

/** The database column `told`, which only a migration could rename, and genuine uses, by file. */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  "lib/ingest/store/live-window.ts": /\btold\b/,
  "lib/ingest/store/tracking-events.ts": /\btold\b/,
  "lib/language.test.ts": /./,
  "lib/monitoring/incidents.ts": /\btold\b/,
  "lib/operations/sites.tracking_test.test.ts": /\btold\b/,
  "lib/sites/tracking-stream.test.ts": /\btold\b/,
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, `${name}`))
    .filter((file) => /\.(tsx?|mjs)$/.test(file));

/** Returns the banned words of a text with their lines, such as `3: told (use: report, format, notify or describe)`. */
const findingsIn = (text: string, allowed?: RegExp): string[] =>
  text.split("\n").flatMap((line, index) => {
    if (allowed?.test(line)) return [];
    return BANNED.flatMap(([word, instead]) => {
      const found = word.exec(line)?.[0];
      return found ? [`${index + 1}: ${found} (use: ${instead})`] : [];
    });
  });

test.each(CHECKED)("%s has plain English in identifiers, comments and texts", (folder) => {
  const findings = filesIn(folder).flatMap((file) =>
    findingsIn(readFileSync(file, "utf8"), ALLOWED[file]).map((finding) => `${file}:${finding}`),
  );
  expect(findings).toEqual([]);
});

test("a banned word is found with its line and its replacement, and an allowed line is not", () => {
  expect(findingsIn("one\nwhoever was told")).toEqual([
    "2: told (use: report, format, notify or describe)",
    "2: whoever (use: name the actor)",
  ]);
  expect(findingsIn("a lane of the road", /road/)).toEqual([]);
});
