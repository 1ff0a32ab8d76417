import { expect, test } from "vitest";
import { findingSentence, totalSentence } from "@/components/reports/changes/says";
import type { ChangesAnswer } from "@/components/reports/changes/sheets";
import * as api from "@/lib/analytics/reports/change-sentences";
import { requestLocales } from "@/lib/platform/request-locale";

type Finding = ChangesAnswer["findings"][number];
type Changes = Pick<ChangesAnswer, "metric" | "currency" | "total">;

const TOTALS = [
  { before: 1240, after: 820, change: -420 },
  { before: 800, after: 9000, change: 8200 },
  { before: 5, after: 5, change: 0 },
  { before: null, after: 7, change: null },
];
const NUMBERS = [
  { status: "both", before: 420, after: 90, effect: -330, contribution: 0.78 },
  { status: "both", before: 90, after: 420, effect: 330, contribution: -0.4 },
  { status: "new", before: 0, after: 12, effect: 12, contribution: 1 },
  { status: "lost", before: 12, after: 0, effect: -12, contribution: 1.31 },
  { status: "both", before: 3, after: 4, effect: 1, contribution: null },
] as const;
const PARTS = [
  { share_before: 0.2, share_after: 0.5, mix: 0.3, within: 0.1 },
  { share_before: 0.5, share_after: 0.2, mix: 0.01, within: -0.2 },
];
const VALUES = [
  ...["page", "hostname", "source", "channel", "device", "browser", "os", "event", "utm_campaign", "entry_page"],
  ...["exit_page", "city"],
].flatMap((dimension) =>
  [null, dimension === "hostname" ? "shop.example" : "Example"].map((value) => ({ dimension, value })),
);
VALUES.push({ dimension: "country", value: "FR" });

const changesOf = (metric: string, total: Changes["total"]): Changes =>
  ({ metric, currency: metric === "revenue" ? "EUR" : null, total }) as Changes;

test("an English page says of a change what the API says", () => {
  let compared = 0;
  for (const metric of ["visits", "events", "revenue", "bounce_rate"] as const) {
    for (const total of TOTALS) {
      const changes = changesOf(metric, total as Changes["total"]);
      const told = { metric, currency: "EUR" };
      expect(totalSentence(changes)).toBe(api.totalSentence(told, total));
      for (const [index, numbers] of NUMBERS.entries()) {
        for (const value of VALUES) {
          const ratio_parts = metric === "bounce_rate" ? (PARTS[index % 2] ?? null) : null;
          const finding = { ...numbers, ...value, ratio_parts } as Finding;
          const expected = api.valueSentence(told, finding as never, total.change ?? 0);
          expect(findingSentence(changes, finding)).toBe(expected);
          compared++;
        }
      }
    }
  }
  expect(compared).toBe(4 * TOTALS.length * NUMBERS.length * VALUES.length);
});

test("a German page says of a change what changed, in German with German numbers", () => {
  const changes = changesOf("visits", { before: 1240, after: 820, change: -420, sentence: "" });
  const finding = { ...NUMBERS[0], dimension: "device", value: "Mobile", ratio_parts: null } as unknown as Finding;
  requestLocales.run("de-DE", () => {
    expect(totalSentence(changes)).toContain("von 1.240 auf 820 gesunken (−34");
    expect(findingSentence(changes, finding)).toMatch(
      /mit dem Gerät Smartphone um 330 gesunken \(−79.%\), das sind 78.%/,
    );
  });
});
