import type { z } from "zod";
import { filteredBy, filteredByStep, toBucketOf } from "@/components/reports/row-filter";
import { type ColumnOf, column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
import type funnels from "@/lib/operations/analytics.funnels";
import type advanced from "@/lib/operations/analytics.funnels.advanced";
import { inSentence } from "@/lib/texts/in-sentence";
import { msg, t } from "@/lib/texts/translate";

export type FunnelsAnswer = z.output<(typeof funnels)["output"]>;
export type FunnelAnswer = z.output<(typeof advanced)["output"]>;
export type Funnel = FunnelsAnswer["funnels"][number];
type Details = FunnelAnswer["funnels"][number];
type Step = Funnel["steps"][number];
type DetailedStep = Details["steps"][number];

/** Returns the condition of a step or goal: "page /pricing". */
export const conditionText = ({ kind, pattern }: { kind: "page" | "event"; pattern: string }): string =>
  kind === "page" ? t("page {path}", { path: pattern }) : t("event {name}", { name: pattern });

const steps: ColumnOf<Step>[] = [
  column(msg("Step"), "path", (row) => row.name),
  column(msg("Reached by"), "path", (row) => conditionText(row)),
  column(msg("Visitors"), "count", (row) => row.visitors),
  column(msg("Of first step"), "fraction", (row) => row.conversion_from_first),
  column(msg("Of previous step"), "fraction", (row) => row.conversion_from_previous),
  column(msg("Drop-off"), "count", (row) => row.drop_off),
];

/** Returns a table of steps per saved funnel, in the order of the answer. */
export const funnelsSheets = ({ funnels, meta }: FunnelsAnswer): Sheet[] =>
  funnels.map((funnel, index) =>
    sheetOf<Step>(`funnel-${index + 1}`, funnel.name, funnel.steps, steps, {
      link: (step) => filteredByStep(meta, step),
    }),
  );

/** Returns the tables of a single funnel. */
export function funnelSheets({ funnels: [funnel], meta }: FunnelAnswer): Sheet[] {
  if (!funnel) return [];
  const after = (label: string, of: (row: DetailedStep) => number | null) =>
    column<DetailedStep>(label, "seconds", of, {
      about: msg("Time since the previous step, by percentile"),
    });
  const depth: ColumnOf<DetailedStep>[] = [
    ...steps,
    after(msg("Time p50"), (row) => row.seconds_from_previous.p50),
    after("p75", (row) => row.seconds_from_previous.p75),
    after("p90", (row) => row.seconds_from_previous.p90),
    column(msg("Revenue"), "money", (row) => row.revenue, {
      about: msg("Revenue of the events that reached the step"),
    }),
  ];
  const left = funnel.steps.flatMap((step, index) =>
    step.left_to.map((one) => ({
      ...one,
      after: `${index + 1}. ${step.name}`,
      link: linkToPlace(meta, one) ?? filteredByStep(meta, step, funnel.steps[index + 1]),
    })),
  );
  type Left = (typeof left)[number];
  return [
    sheetOf("steps", msg("Steps"), funnel.steps, depth, { link: (step) => filteredByStep(meta, step) }),
    sheetOf<Left>(
      "left",
      msg("Next after drop-off"),
      left,
      [
        column(t("{kind, select, step {Next} other {Next}}", { kind: "step" }), "path", (row) =>
          row.kind === "exit" ? t("Exit") : row.value,
        ),
        column(msg("Type"), "text", (row) => t(KINDS[row.kind])),
        column(t("{kind, select, step {After} other {After}}", { kind: "step" }), "path", (row) => row.after),
        column(msg("Visitors"), "count", (row) => row.visitors),
      ],
      { link: ({ link }) => link },
    ),
    sheetOf<Details["trend"][number]>(
      "trend",
      msg("Over time"),
      funnel.trend,
      [
        column(msg("Date"), "text", (row) => row.label),
        column(msg("Entered"), "count", (row) => row.entered),
        column(msg("Converted"), "count", (row) => row.converted),
        column(msg("Rate"), "fraction", (row) => (row.entered > 0 ? row.converted / row.entered : null)),
      ],
      { link: toBucketOf(funnel.trend, meta) },
    ),
    partsSheet(funnel, meta, "sources"),
    partsSheet(funnel, meta, "devices"),
    partsSheet(funnel, meta, "countries"),
  ];
}

type Place = DetailedStep["left_to"][number];

/** Returns the view of the visits with the page or event to which visitors went instead; null for those who left the site. */
export const linkToPlace = (meta: FunnelAnswer["meta"], { kind, value }: Place) =>
  kind === "exit" || value === null ? null : filteredBy(meta, { [kind]: value });

type Part = Details["sources"][number];

const KINDS: Record<Details["steps"][number]["left_to"][number]["kind"], string> = {
  page: msg("page"),
  event: msg("event"),
  exit: msg("exit"),
};

const PARTS = {
  sources: { key: "source", label: msg("Source") },
  devices: { key: "device", label: msg("Device") },
  countries: { key: "country", label: msg("Country") },
} as const;

function partsSheet(funnel: Details, meta: FunnelAnswer["meta"], key: keyof typeof PARTS): Sheet {
  const { key: dimension, label } = PARTS[key];
  const last = funnel.steps.length - 1;
  return sheetOf<Part>(
    key,
    t("By {dimension}", { dimension: inSentence(t(label)) }),
    funnel[key],
    [
      valueColumn(label, dimension, (row) => row.value),
      ...funnel.steps.map((step, index) =>
        column<Part>(`${index + 1}. ${step.name}`, "count", (row) => row.visitors[index] ?? 0),
      ),
      column(msg("Rate"), "fraction", ({ visitors }) => (visitors[0] ? (visitors[last] ?? 0) / visitors[0] : null)),
    ],
    { bar: 1, link: ({ value }) => filteredBy(meta, { [dimension]: value }) },
  );
}
