import { z } from "zod";
import { parseSteps } from "@/lib/contract/funnel-notation";
import { invalidInput } from "@/lib/platform/errors";
import { readPath } from "@/lib/platform/path-patterns";
import { LONGEST_PATH } from "@/lib/platform/text";

/** What reaches a goal or a step of a funnel: a page by a path pattern, or an event by its name. */

const MAX_NAME_LENGTH = 255;
/** For the docs of goals and of each step of a funnel. */
export const REACHED_BY = "`kind` page with a path as its `pattern`, or `kind` event with the exact name of an event";

const page = z
  .string("must be a path")
  .meta({
    description: "A path: * is any part of one segment, ** any number of segments",
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
  .trim()
  .min(1, "must be the name of an event")
  .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
  .meta({ description: "The exact name of an event", examples: ["Signup"] });

/** `kind` and `pattern` besides other fields. The pattern of a page gets the spelling in which paths are stored. */
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

export const MIN_STEPS = 2;
export const MAX_STEPS = 10;
const COUNT = `must be a list of ${MIN_STEPS} to ${MAX_STEPS} steps`;

/** A step of a funnel: what reaches it, and its name where the pattern would not do. */
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
export const stepsShape = z.array(stepShape, COUNT).min(MIN_STEPS, COUNT).max(MAX_STEPS, COUNT);

export const stepName = ({ name, pattern }: FunnelStep): string => name ?? pattern;

/** A saved funnel, or one written in the request. */
export interface Funnel {
  /** null: written in the request. */
  id: string | null;
  name: string;
  windowMinutes: number;
  steps: FunnelStep[];
}

/** How to write a funnel into a request. */
export const FUNNEL_SYNTAX =
  "/pricing > event:Signup > /thanks: 2 to 10 steps with ' > ' between them, each a path pattern or event:<name>";

/**
 * Reads a funnel that is written as `/pricing > event:Signup > /thanks`.
 *
 * @throws Refusal `invalid_input` that names each invalid step.
 */
export function readSteps(written: string): FunnelStep[] {
  const read = stepsShape.safeParse(parseSteps(written));
  if (read.success) return read.data;
  const faults = read.error.issues.map(({ path: [index], message }) => {
    const subject = typeof index === "number" ? `has a step ${index + 1} that ` : "";
    return { path: "funnel", message: `${subject}${message}; write it as in ${FUNNEL_SYNTAX}` };
  });
  throw invalidInput(faults);
}
