import type { z } from "zod";
import { column, type Kind, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueName } from "@/components/reports/values";
import { VITALS, type VitalKey, vitalKeys } from "@/lib/analytics/reports/vitals";
import type vitals from "@/lib/operations/analytics.vitals";

export type VitalsAnswer = z.output<(typeof vitals)["output"]>;
type Row = VitalsAnswer["pages"][number];

export const kindOf = (key: VitalKey): Kind => (key === "cls" ? "number" : "ms");

/** Returns the tables of all vitals overall and of their p75 by page, device, country and browser. */
export function vitalSheets({ overall, pages, devices, countries, browsers }: VitalsAnswer): Sheet[] {
  const by = (label: string, write: (value: string | null) => string | null = (value) => value) => [
    column<Row>(label, label === "Page" ? "path" : "text", (row) => write(row.value), { unknown: "Unknown" }),
    column<Row>("Page views", "count", (row) => row.views, { about: "Page views that reported any vital" }),
    ...vitalKeys.map((key) =>
      column<Row>(`${VITALS[key].label} p75`, kindOf(key), (row) => row[key].p75, { about: VITALS[key].about }),
    ),
  ];
  const known = vitalKeys.map((key) => ({ key, ...overall[key] }));
  type Known = (typeof known)[number];
  const quantile = (label: string, key: "p50" | "p75" | "p90" | "p99") =>
    column<Known>(label, "number", (row) => wholeMs(row.key, row[key]), { kinds: known.map((row) => kindOf(row.key)) });
  const share = (label: string, key: "good" | "needs_improvement" | "poor") =>
    column<Known>(label, "fraction", (row) => row[key]);
  return [
    sheetOf("overall", "All page views", known, [
      column<Known>("Vital", "text", (row) => VITALS[row.key].label),
      column<Known>("Samples", "count", (row) => row.samples),
      ...[quantile("p50", "p50"), quantile("p75", "p75"), quantile("p90", "p90"), quantile("p99", "p99")],
      ...[share("Good", "good"), share("Needs improvement", "needs_improvement"), share("Poor", "poor")],
    ]),
    sheetOf("pages", "Pages", pages, by("Page"), { bar: 1 }),
    sheetOf("devices", "Devices", devices, by("Device"), { bar: 1 }),
    sheetOf("browsers", "Browsers", browsers, by("Browser"), { bar: 1 }),
    sheetOf(
      "countries",
      "Countries",
      countries,
      by("Country", (code) => code && valueName("country", code)),
      { bar: 1 },
    ),
  ];
}

/** Rounds to whole milliseconds. CLS has no unit and is not rounded. */
const wholeMs = (key: VitalKey, value: number | null): number | null =>
  value === null || key === "cls" ? value : Math.round(value);
