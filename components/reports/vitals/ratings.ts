import type { Tone } from "@/components/ui/badge";
import { VITALS, type VitalKey } from "@/lib/analytics/reports/vitals";
import { msg } from "@/lib/texts/translate";

/** The bands of a vital, from good to poor. */
export const RATINGS = {
  good: { label: msg("good"), tone: "good", fill: "bg-good" },
  needs: { label: msg("needs work"), tone: "warn", fill: "bg-warn" },
  poor: { label: msg("poor"), tone: "bad", fill: "bg-bad" },
} as const satisfies Record<string, { label: string; tone: Tone; fill: string }>;

/** Returns the band of a 75th percentile. */
export const ratingOf = (key: VitalKey, p75: number) =>
  RATINGS[p75 <= VITALS[key].good ? "good" : p75 <= VITALS[key].poor ? "needs" : "poor"];

/** What each vital measures, for people. */
export const MEANINGS: Record<VitalKey, string> = {
  lcp: msg("How long until the largest part of a page is shown."),
  inp: msg("How long a page takes to react to a click, a tap or a key."),
  cls: msg("How much the content of a page jumps while it is read."),
  fcp: msg("How long until anything of a page is shown."),
  ttfb: msg("How long until the server begins to answer."),
};
