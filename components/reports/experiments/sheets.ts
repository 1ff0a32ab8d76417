import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type experiments from "@/lib/operations/analytics.experiments";
import { msg } from "@/lib/texts/translate";

export type ExperimentsAnswer = z.output<(typeof experiments)["output"]>;
export type Experiment = ExperimentsAnswer["experiments"][number];
export type Variant = Experiment["variants"][number];

const columns = [
  column<Variant>(msg("Variant"), "text", (row) => row.variant),
  column<Variant>(msg("Exposed"), "count", (row) => row.exposed, {
    about: msg("Visitors who saw only this variant"),
  }),
  column<Variant>(msg("Converted"), "count", (row) => row.converted, {
    about: msg("Exposed visitors who converted after their first exposure"),
  }),
  column<Variant>(msg("Rate"), "fraction", (row) => row.rate),
  column<Variant>(msg("Lift"), "fraction", (row) => row.lift, { about: msg("Rate relative to the control") }),
  column<Variant>(msg("From"), "fraction", (row) => row.lift_interval?.low ?? null, {
    about: msg("Bound of the 95% interval of the lift"),
  }),
  column<Variant>(msg("To"), "fraction", (row) => row.lift_interval?.high ?? null, {
    about: msg("Bound of the 95% interval of the lift"),
  }),
  column<Variant>(msg("Best"), "fraction", (row) => row.probability_best, {
    about: msg("Probability that its rate is the highest"),
  }),
  column<Variant>(msg("Expected loss"), "fraction", (row) => row.expected_loss, {
    about: msg("Expected difference between its rate and the best rate"),
  }),
];

/** Returns a table of variants per experiment, in the order of the answer. */
export const experimentSheets = ({ experiments }: ExperimentsAnswer): Sheet[] =>
  experiments.map(({ variants }, index) => sheetOf(`experiment-${index + 1}`, msg("Variants"), variants, columns));
