import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Files and folders that are clean. Add a place here when its wording is done. */
const CLEAN = [
  "lib/api/actions.ts",
  "lib/gateway/approvals.ts",
  "lib/gateway/changes/audit.ts",
  "lib/gateway/changes/change-site.ts",
  "lib/gateway/decide.ts",
  "lib/gateway/execute-personal.ts",
  "lib/gateway/execute.ts",
  "lib/platform/http/http.ts",
  "lib/gateway/idempotency/idempotency.ts",
  "lib/agents/approval-inbox.ts",
  "lib/gateway/changes/lock-site.ts",
  "lib/api/management.ts",
  "lib/platform/http/methods.ts",
  "lib/gateway/notices.ts",
  "lib/api/principal.ts",
  "lib/gateway/read-input.ts",
  "lib/gateway/request-approval.ts",
  "lib/platform/http/require-own-host.ts",
  "lib/platform/http/respond.ts",
  "lib/gateway/idempotency/run-idempotent.ts",
  "lib/jobs/job-leases.ts",
  "lib/platform/report-concurrency.ts",
  "lib/platform/request-signal.ts",
  "lib/sites/delete-expired.ts",
  "lib/sites/ingest-stats.ts",
  "lib/sites/last-event.ts",
  "lib/sites/retention-text.ts",
  "lib/sites/retention.ts",
];

/** Each word of ours with the one that the field uses. */
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
  [/\bspend(s|ing)?\b|\bunspent\b/, "consume"],
];

/** Genuine uses, by file. */
const ALLOWED: Readonly<Record<string, RegExp>> = {};

const filesOf = (place: string): string[] =>
  statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true })
        .map((name) => path.join(place, `${name}`))
        .filter((file) => /\.tsx?$/.test(file));

/** The places of banned words in a text, such as `3: told (use report, format, notify or describe)`. */
const findingsIn = (text: string, allowed?: RegExp): string[] =>
  text.split("\n").flatMap((line, at) => {
    if (allowed?.test(line)) return [];
    return BANNED.flatMap(([word, instead]) => {
      const found = word.exec(line)?.[0];
      return found ? [`${at + 1}: ${found} (use: ${instead})`] : [];
    });
  });

test.each(CLEAN)("%s has plain English in identifiers, comments and texts", (place) => {
  const findings = filesOf(place).flatMap((file) =>
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
