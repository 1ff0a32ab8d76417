import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { type ColumnOf, column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type journeys from "@/lib/operations/analytics.journeys";
import { msg, t } from "@/lib/texts/translate";

export type JourneysAnswer = z.output<(typeof journeys)["output"]>;
export type JourneyGroup = JourneysAnswer["journeys"][number];
type Place = JourneyGroup["transitions"][number]["from"];

const PLACES = { exit: msg("exit"), other: msg("other paths") } as const;
const nameOf = ({ kind, value }: Place): string =>
  kind === "exit" || kind === "other"
    ? t(PLACES[kind])
    : kind === "event"
      ? t("event {name}", { name: `${value}` })
      : (value ?? t("unknown page"));

/** Headings of the groups of visits. */
export const WHO: Record<JourneyGroup["who"], string> = {
  all: msg("All visits"),
  finished: msg("Completed the funnel"),
  left: msg("Did not complete the funnel"),
};

const paths: ColumnOf<JourneyGroup["paths"][number]>[] = [
  column(msg("Path"), "path", ({ steps, ended }) => `${steps.map(nameOf).join(" → ")}${ended ? "" : " …"}`),
  column(msg("Visits"), "count", (row) => row.visits),
  column(msg("Steps"), "count", (row) => row.steps.length),
];
const transitions = (): ColumnOf<JourneyGroup["transitions"][number]>[] => [
  column(msg("From"), "path", (row) => nameOf(row.from)),
  column(t("{kind, select, step {To} other {To}}", { kind: "step" }), "path", (row) => nameOf(row.to)),
  column(msg("Visits"), "count", (row) => row.visits),
];

/** The filters of a step: the visits with this page or event; null for exits and other steps. */
const filtersOf = (place: Place | undefined): Record<string, string> | null =>
  place?.value != null && (place.kind === "page" || place.kind === "event") ? { [place.kind]: place.value } : null;

export function journeySheets({ journeys, meta }: JourneysAnswer): Sheet[] {
  const linkTo = (place: Place | undefined) => {
    const filters = filtersOf(place);
    return filters && filteredBy(meta, filters);
  };
  return journeys.flatMap(({ who, ...group }) => [
    sheetOf(`paths-${who}`, msg("Paths"), group.paths, paths, { bar: 1, link: ({ steps }) => linkTo(steps.at(-1)) }),
    sheetOf(`steps-${who}`, msg("Transitions between steps"), group.transitions, transitions(), {
      bar: 2,
      link: ({ from }) => linkTo(from),
    }),
  ]);
}
