import { writtenSteps } from "@/lib/analytics/funnel-notation";
import { type FunnelStep, stepsShape } from "@/lib/analytics/funnel-steps";
import { invalidInput } from "@/lib/contract/errors";

/** How to write a funnel into a question, for whoever has none saved. */
export const WRITTEN_FUNNEL =
  "/pricing > event:Signup > /thanks: 2 to 10 steps with ' > ' between them, each a path pattern or event:<name>";

/**
 * Reads a funnel that is written down as `/pricing > event:Signup > /thanks`.
 *
 * @throws Refusal `invalid_input` naming each step that is none.
 */
export function readSteps(written: string): FunnelStep[] {
  const read = stepsShape.safeParse(writtenSteps(written));
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path: [index], message }) => {
    const subject = typeof index === "number" ? `has a step ${index + 1} that ` : "";
    return { path: "funnel", message: `${subject}${message}; write it as in ${WRITTEN_FUNNEL}` };
  });
  throw invalidInput(faults);
}
