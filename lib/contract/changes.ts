import { formatExactly, formatPercent, numbers } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

/** Judges the change of a number, for pages and emails alike. */

export interface Change {
  up: boolean;
  better: boolean;
  /** Its size: "12%", "×14", and "1.2 pts" (percentage points) for rates. */
  text: string;
}

/** The numbers, by the label that they have everywhere, of which less is better. */
const LESS_IS_BETTER: ReadonlySet<string> = new Set([
  ...[
    "Bounce rate",
    "Drop-off",
    "Errors",
    "Errors for AI agents",
    "Exits",
    "Expected loss",
    "No results",
    "Position",
    "Refined",
    "Without results",
  ],
  ...["Refunds", "Refunds, converted", "LCP p75", "INP p75", "CLS p75", "FCP p75", "TTFB p75"],
]);

const points = numbers({ maximumFractionDigits: 1 });

/** From this relative change on, the factor says more than a percentage. */
const FACTOR_FROM = 10;

/**
 * Returns how a number changed; null if it or the earlier one is unknown, if the earlier one was 0, or if a reader sees
 * the same text twice.
 *
 * @param label the label of the number, which decides whether more is better.
 * @param format how the number is shown.
 */
export function changeBetween(
  { label, isRate }: { label: string; isRate: boolean },
  now: number | null | undefined,
  before: number | null | undefined,
  format: (value: number) => string,
): Change | null {
  if (now === null || now === undefined || before === null || before === undefined) return null;
  if (format(now) === format(before) || (before === 0 && !isRate)) return null;
  const up = now > before;
  return { up, better: up !== LESS_IS_BETTER.has(label), text: isRate ? inPoints(now, before) : relative(now, before) };
}

/** The difference of the rates as they are shown, so that a reader can check it. */
const inPoints = (now: number, before: number): string => {
  const shown = (rate: number) => Math.round(rate * 1000) / 10;
  return t("{points} pts", { points: points().format(Math.abs(shown(now) - shown(before))) });
};

function relative(now: number, before: number): string {
  const size = Math.abs(now - before) / Math.abs(before);
  if (size >= FACTOR_FROM) return `×${formatExactly(now / before)}`;
  // Whole percentages: more digits would suggest a certainty that a comparison of two periods does not have.
  return size < 0.01 ? `<${formatPercent(0.01)}` : formatPercent(Math.round(size * 100) / 100);
}
