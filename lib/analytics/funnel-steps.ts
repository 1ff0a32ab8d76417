import { z } from "zod";
import { pageOrEvent } from "@/lib/analytics/reached-by";

export const FEWEST_STEPS = 2;
export const MOST_STEPS = 10;
const COUNT = `must be a list of ${FEWEST_STEPS} to ${MOST_STEPS} steps`;

/** A step of a funnel: what reaches it, and what it is called where its pattern would not do. */
export const stepShape = pageOrEvent({
  name: z
    .string("must be text")
    .trim()
    .min(1, "must not be empty")
    .max(100, "must have at most 100 characters")
    .optional(),
});
export type FunnelStep = z.infer<typeof stepShape>;

/** The steps of a funnel in their order, as they are stored. */
export const stepsShape = z.array(stepShape, COUNT).min(FEWEST_STEPS, COUNT).max(MOST_STEPS, COUNT);

export const stepName = ({ name, pattern }: FunnelStep): string => name ?? pattern;
