import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { type ColumnOf, column, type Sheet, sheetOf } from "@/components/reports/sheet";
import { valueName } from "@/components/reports/values";
import { capitalise } from "@/components/ui/capitalise";
import type funnels from "@/lib/operations/analytics.funnels";
import type advanced from "@/lib/operations/analytics.funnels.advanced";

export type FunnelsAnswer = z.output<(typeof funnels)["output"]>;
export type FunnelAnswer = z.output<(typeof advanced)["output"]>;
export type Funnel = FunnelsAnswer["funnels"][number];
type Details = FunnelAnswer["funnels"][number];
type Step = Funnel["steps"][number];
type DetailedStep = Details["steps"][number];

const steps: ColumnOf<Step>[] = [
  column("Step", "path", (row) => row.name),
  column("Reached by", "path", (row) => `${row.kind} ${row.pattern}`),
  column("Visitors", "count", (row) => row.visitors),
  column("Of first step", "fraction", (row) => row.conversion_from_first),
  column("Of previous step", "fraction", (row) => row.conversion_from_previous),
  column("Drop-off", "count", (row) => row.drop_off),
];

/** Returns a table of steps per saved funnel, in the order of the answer. */
export const funnelsSheets = ({ funnels }: FunnelsAnswer): Sheet[] =>
  funnels.map((funnel, index) => sheetOf<Step>(`funnel-${index + 1}`, funnel.name, funnel.steps, steps));

/** Returns the tables of a single funnel. */
export function funnelSheets({ funnels: [funnel], meta }: FunnelAnswer): Sheet[] {
  if (!funnel) return [];
  const after = (label: string, of: (row: DetailedStep) => number | null) =>
    column<DetailedStep>(label, "seconds", of, {
      about: "Time since the previous step, by percentile",
    });
  const depth: ColumnOf<DetailedStep>[] = [
    ...steps,
    after("Time p50", (row) => row.seconds_from_previous.p50),
    after("p75", (row) => row.seconds_from_previous.p75),
    after("p90", (row) => row.seconds_from_previous.p90),
    column("Revenue", "money", (row) => row.revenue, { about: "Revenue of the events that reached the step" }),
  ];
  const left = funnel.steps.flatMap((step, index) =>
    step.left_to.map((one) => ({ ...one, after: `${index + 1}. ${step.name}` })),
  );
  type Left = (typeof left)[number];
  return [
    sheetOf("steps", "Steps", funnel.steps, depth),
    sheetOf<Left>(
      "left",
      "Next after drop-off",
      left,
      [
        column("Next", "path", (row) => (row.kind === "exit" ? "Exit" : row.value)),
        column("Type", "text", (row) => row.kind),
        column("After", "path", (row) => row.after),
        column("Visitors", "count", (row) => row.visitors),
      ],
      {
        link: ({ kind, value }) => (kind === "exit" || value === null ? null : filteredBy(meta, { [kind]: value })),
      },
    ),
    sheetOf<Details["trend"][number]>("trend", "Over time", funnel.trend, [
      column("Date", "text", (row) => row.label),
      column("Entered", "count", (row) => row.entered),
      column("Converted", "count", (row) => row.converted),
      column("Rate", "fraction", (row) => (row.entered > 0 ? row.converted / row.entered : null)),
    ]),
    partsSheet(funnel, meta, "sources", "Direct or unknown"),
    partsSheet(funnel, meta, "devices", "Unknown"),
    partsSheet(funnel, meta, "countries", "Unknown"),
  ];
}

type Part = Details["sources"][number];

const PARTS = { sources: "source", devices: "device", countries: "country" } as const;

function partsSheet(funnel: Details, meta: FunnelAnswer["meta"], key: keyof typeof PARTS, unknown: string): Sheet {
  const label = capitalise(PARTS[key]);
  const last = funnel.steps.length - 1;
  return sheetOf<Part>(
    key,
    `By ${label.toLowerCase()}`,
    funnel[key],
    [
      column(label, "text", (row) => (key === "countries" ? row.value && valueName("country", row.value) : row.value), {
        unknown,
      }),
      ...funnel.steps.map((step, index) =>
        column<Part>(`${index + 1}. ${step.name}`, "count", (row) => row.visitors[index] ?? 0),
      ),
      column("Rate", "fraction", ({ visitors }) => (visitors[0] ? (visitors[last] ?? 0) / visitors[0] : null)),
    ],
    { bar: 1, link: ({ value }) => filteredBy(meta, { [PARTS[key]]: value }) },
  );
}
