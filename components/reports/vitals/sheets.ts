import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Kind, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import { ratingOf } from "@/components/reports/vitals/ratings";
import { BREAKDOWNS, type Breakdown, VITALS, type VitalKey, vitalKeys } from "@/lib/analytics/reports/vitals";
import type vitals from "@/lib/operations/analytics.vitals";
import { inSentence } from "@/lib/texts/in-sentence";
import { msg, t } from "@/lib/texts/translate";

export type VitalsAnswer = z.output<(typeof vitals)["output"]>;
type Row = VitalsAnswer["pages"][number];

export const kindOfVital = (key: VitalKey): Kind => (key === "cls" ? "number" : "ms");

/** Returns the tables of all vitals overall and of their p75 by page, device, country and browser. */
export function vitalSheets({ overall, pages, devices, countries, browsers }: VitalsAnswer): Sheet[] {
  const by = (part: Breakdown) => [
    valueColumn<Row>(LABELS[part], BREAKDOWNS[part], (row) => row.value),
    column<Row>(msg("Page views"), "count", (row) => row.views, { about: msg("Page views that reported any vital") }),
    ...vitalKeys.map((key) =>
      column<Row>(`${VITALS[key].label} p75`, kindOfVital(key), (row) => row[key].p75, { about: VITALS[key].about }),
    ),
  ];
  const known = vitalKeys.map((key) => ({ key, ...overall[key] }));
  type Known = (typeof known)[number];
  const quantile = (label: string, key: "p50" | "p75" | "p90" | "p99") =>
    column<Known>(label, "number", (row) => wholeMs(row.key, row[key]), {
      kinds: known.map((row) => kindOfVital(row.key)),
    });
  const share = (label: string, key: "good" | "needs_improvement" | "poor") =>
    column<Known>(label, "fraction", (row) => row[key]);
  return [
    sheetOf(
      "overall",
      msg("All page views"),
      known,
      [
        column<Known>(msg("Vital"), "text", (row) => VITALS[row.key].label),
        column<Known>(msg("Samples"), "count", (row) => row.samples),
        ...[quantile("p50", "p50"), quantile("p75", "p75"), quantile("p90", "p90"), quantile("p99", "p99")],
        ...[share(msg("Good"), "good"), share(msg("Needs work"), "needs_improvement"), share(msg("Poor"), "poor")],
      ],
      { link: ({ key }) => ({ vital: key }) },
    ),
    sheetOf("pages", msg("Pages"), pages, by("pages"), { bar: 1 }),
    sheetOf("devices", msg("Devices"), devices, by("devices"), { bar: 1 }),
    sheetOf("browsers", msg("Browsers"), browsers, by("browsers"), { bar: 1 }),
    sheetOf("countries", msg("Countries"), countries, by("countries"), { bar: 1 }),
  ];
}

/** The headings of the breakdowns in the order of their tables. */
const LABELS: Record<Breakdown, string> = {
  pages: msg("Page"),
  devices: msg("Device"),
  browsers: msg("Browser"),
  countries: msg("Country"),
};

/** Returns rows with the worst values of a vital first; those with too few samples come last. */
export function worstFirst(rows: readonly Row[], key: VitalKey): Row[] {
  return [...rows].sort((a, b) => (b[key].p75 ?? -1) - (a[key].p75 ?? -1) || b.views - a.views);
}

/** Returns the tables of one vital by page, device, browser and country, worst first. Their CSV has all vitals. */
export const sheetsOfVital = (answer: VitalsAnswer, key: VitalKey): Sheet[] =>
  (Object.keys(LABELS) as Breakdown[]).map((part) => {
    const rows = worstFirst(answer[part], key);
    const ratings = rows.map((row) => (row[key].p75 === null ? null : ratingOf(key, row[key].p75)));
    const share = (label: string, of: "good" | "needs_improvement" | "poor") =>
      column<Row>(label, "fraction", (row) => row[key][of]);
    const rating = column<Row>(msg("Rating"), "text", (row) => ratingText(ratings[rows.indexOf(row)]), {
      tones: ratings.map((one) => one?.tone ?? null),
      unknown: msg("too few samples"),
    });
    return sheetOf<Row>(
      part,
      t("{vital} by {dimension}", { vital: VITALS[key].label, dimension: inSentence(t(LABELS[part])) }),
      rows,
      [
        valueColumn(LABELS[part], BREAKDOWNS[part], (row) => row.value),
        column(msg("Samples"), "count", (row) => row[key].samples, { about: msg("Page views that reported it") }),
        column(`${VITALS[key].label} p75`, kindOfVital(key), (row) => wholeMs(key, row[key].p75), {
          about: msg("75% of page views were at least this good"),
        }),
        rating,
        ...[share(msg("Good"), "good"), share(msg("Needs work"), "needs_improvement"), share(msg("Poor"), "poor")],
      ],
      { link: ({ value }) => filteredBy(answer.meta, { [BREAKDOWNS[part]]: value }) },
    );
  });

const ratingText = (rating: ReturnType<typeof ratingOf> | null | undefined): string | null =>
  rating ? t(rating.label) : null;

/** Rounds to whole milliseconds. CLS has no unit and is not rounded. */
const wholeMs = (key: VitalKey, value: number | null): number | null =>
  value === null || key === "cls" ? value : Math.round(value);
