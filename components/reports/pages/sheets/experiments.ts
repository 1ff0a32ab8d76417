import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type experiments from "@/lib/operations/analytics.experiments";

export type ExperimentsAnswer = z.output<(typeof experiments)["output"]>;
export type Experiment = ExperimentsAnswer["experiments"][number];
export type Variant = Experiment["variants"][number];

const told = [
  column<Variant>("Variant", "text", (row) => row.variant),
  column<Variant>("Exposed", "count", (row) => row.exposed, {
    about: "Visitors who were shown this variant and no other",
  }),
  column<Variant>("Converted", "count", (row) => row.converted, { about: "Of these, after they were first shown it" }),
  column<Variant>("Rate", "fraction", (row) => row.rate),
  column<Variant>("Lift", "fraction", (row) => row.lift, { about: "The rate relative to the control's" }),
  column<Variant>("From", "fraction", (row) => row.lift_interval?.low ?? null, {
    about: "Of the 95% interval of the lift",
  }),
  column<Variant>("To", "fraction", (row) => row.lift_interval?.high ?? null, {
    about: "Of the 95% interval of the lift",
  }),
  column<Variant>("Best", "fraction", (row) => row.probability_best, {
    about: "The probability that its rate is the highest",
  }),
  column<Variant>("Expected loss", "fraction", (row) => row.expected_loss, {
    about: "How much lower its rate is expected to be than the best one",
  }),
];

/** A table of variants for each experiment, in the order of the answer. */
export const experimentSheets = ({ experiments }: ExperimentsAnswer): Sheet[] =>
  experiments.map(({ variants }, index) => sheetOf(`experiment-${index + 1}`, "Variants", variants, told));
