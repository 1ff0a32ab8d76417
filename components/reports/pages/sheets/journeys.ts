import type { z } from "zod";
import { type ColumnOf, column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type journeys from "@/lib/operations/analytics.journeys";

export type JourneysAnswer = z.output<(typeof journeys)["output"]>;
export type Ways = JourneysAnswer["journeys"][number];
type Place = Ways["transitions"][number]["from"];

const PLACES = { exit: "left", other: "other ways" } as const;
const nameOf = ({ kind, value }: Place): string =>
  kind === "exit" || kind === "other" ? PLACES[kind] : kind === "event" ? `event ${value}` : (value ?? "unknown page");

/** Whose paths they are, for a heading. */
export const WHO: Record<Ways["who"], string> = {
  all: "All visits",
  finished: "Those who finished the funnel",
  left: "Those who did not",
};

const paths: ColumnOf<Ways["paths"][number]>[] = [
  column("Path", "text", ({ steps, ended }) => `${steps.map(nameOf).join(" → ")}${ended ? "" : " …"}`),
  column("Visits", "count", (row) => row.visits),
  column("Steps", "count", (row) => row.steps.length),
];
const transitions: ColumnOf<Ways["transitions"][number]>[] = [
  column("From", "text", (row) => nameOf(row.from)),
  column("To", "text", (row) => nameOf(row.to)),
  column("Visits", "count", (row) => row.visits),
];

export const journeySheets = ({ journeys }: JourneysAnswer): Sheet[] =>
  journeys.flatMap(({ who, ...ways }) => [
    sheetOf(`paths-${who}`, "Paths", ways.paths, paths, { bar: 1 }),
    sheetOf(`steps-${who}`, "From one step to the next", ways.transitions, transitions, { bar: 2 }),
  ]);
