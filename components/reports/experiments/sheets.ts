import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type experiments from "@/lib/operations/analytics.experiments";

export type ExperimentsAnswer = z.output<(typeof experiments)["output"]>;
export type Experiment = ExperimentsAnswer["experiments"][number];
export type Variant = Experiment["variants"][number];

const columns = [
  column<Variant>("Variant", "text", (row) => row.variant),
  column<Variant>("Exposed", "count", (row) => row.exposed, {
    about: "Visitors who saw only this variant",
  }),
  column<Variant>("Converted", "count", (row) => row.converted, {
    about: "Exposed visitors who converted after their first exposure",
  }),
  column<Variant>("Rate", "fraction", (row) => row.rate),
  column<Variant>("Lift", "fraction", (row) => row.lift, { about: "Rate relative to the control" }),
  column<Variant>("From", "fraction", (row) => row.lift_interval?.low ?? null, {
    about: "Bound of the 95% interval of the lift",
  }),
  column<Variant>("To", "fraction", (row) => row.lift_interval?.high ?? null, {
    about: "Bound of the 95% interval of the lift",
  }),
  column<Variant>("Best", "fraction", (row) => row.probability_best, {
    about: "Probability that its rate is the highest",
  }),
  column<Variant>("Expected loss", "fraction", (row) => row.expected_loss, {
    about: "Expected difference between its rate and the best rate",
  }),
];

/** Returns a table of variants per experiment, in the order of the answer. */
export const experimentSheets = ({ experiments }: ExperimentsAnswer): Sheet[] =>
  experiments.map(({ variants }, index) => sheetOf(`experiment-${index + 1}`, "Variants", variants, columns));
