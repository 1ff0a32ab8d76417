import { z } from "zod";
import { nameText } from "@/lib/contract/fields";
import { parseSteps } from "@/lib/contract/funnel-notation";
import { invalidInput } from "@/lib/platform/errors";
import { canonicalName } from "@/lib/platform/names";
import { readPath } from "@/lib/platform/path-patterns";
import { LONGEST_PATH } from "@/lib/platform/text";

/** Conditions of goals and funnel steps: a page by path pattern, or an event by name. */

const MAX_NAME_LENGTH = 255;
/** Description of a condition, for goals and funnel steps. */
export const REACHED_BY =
  "`kind` page with a path as `pattern`, or `kind` event with the exact event name as `pattern`";

const page = z
  .string("must be a path")
  .meta({
    description: "A path: * matches any part of one segment, ** any number of segments",
    examples: ["/thanks", "/blog/**"],
  })
  .transform((typed, context) => {
    const read = readPath(typed.trim(), LONGEST_PATH);
    if ("pattern" in read) return read.pattern;
    context.issues.push({ code: "custom", message: read.fault, input: typed });
    return z.NEVER;
  });
const event = z
  .string("must be the name of an event")
  .overwrite(canonicalName)
  .min(1, "must be the name of an event")
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .meta({ description: "The exact name of an event", examples: ["Signup"] });

/** Schema of `kind` and `pattern` plus other fields. Page patterns are normalised like stored paths. */
export const pageOrEvent = <More extends z.ZodRawShape>(more: More) =>
  z
    .discriminatedUnion(
      "kind",
      [
        z.strictObject({ ...more, kind: z.literal("page"), pattern: page }),
        z.strictObject({ ...more, kind: z.literal("event"), pattern: event }),
      ],
      "must be page or event",
    )
    .meta({ description: REACHED_BY });

const MIN_STEPS = 2;
const MAX_STEPS = 10;
const COUNT = `must be a list of ${MIN_STEPS} to ${MAX_STEPS} steps`;

/** A funnel step: its condition and an optional name, shown instead of the pattern. */
export const stepShape = pageOrEvent({
  name: nameText(100).min(1, "must not be empty").optional(),
});
export type FunnelStep = z.infer<typeof stepShape>;

/** The steps of a funnel in order, as stored. */
export const stepsShape = z.array(stepShape, COUNT).min(MIN_STEPS, COUNT).max(MAX_STEPS, COUNT);

export const stepName = ({ name, pattern }: FunnelStep): string => name ?? pattern;

/** A saved funnel, or one from the request. */
export interface Funnel {
  /** null for a funnel from the request. */
  id: string | null;
  name: string;
  windowMinutes: number;
  steps: FunnelStep[];
}

/** Syntax of a funnel in a request. */
export const FUNNEL_SYNTAX =
  "/pricing > event:Signup > /thanks: 2 to 10 steps separated by ' > ', each a path pattern or event:<name>";

/**
 * Parses a funnel such as `/pricing > event:Signup > /thanks`.
 *
 * @throws Refusal `invalid_input` with each invalid step.
 */
export function readSteps(written: string): FunnelStep[] {
  const read = stepsShape.safeParse(parseSteps(written));
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path: [index], message }) => {
    const subject = typeof index === "number" ? `has a step ${index + 1} that ` : "";
    return { path: "funnel", message: `${subject}${message}; the syntax is ${FUNNEL_SYNTAX}` };
  });
  throw invalidInput(faults);
}
