import { z } from "zod";
import { readPath } from "@/lib/platform/path-patterns";
import { LONGEST_PATH } from "@/lib/text";

const LONGEST_NAME = 255;
/** In the words of the docs, for goals and for each step of a funnel. */
export const REACHED_BY = "`kind` page with a path as its `pattern`, or `kind` event with the exact name of an event";

/**
 * What a goal or a step of a funnel is reached by, besides other fields of theirs: `kind` page with a path pattern (`*` is
 * any part of one segment, `**` any number of whole ones), or `kind` event with the exact name of an event. The pattern
 * comes out in the spelling in which paths are stored.
 */
export function pageOrEvent<More extends z.ZodRawShape>(more: More) {
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
    .max(LONGEST_NAME, `must have at most ${LONGEST_NAME} characters`)
    .meta({ description: "The exact name of an event", examples: ["Signup"] });
  return z
    .discriminatedUnion(
      "kind",
      [
        z.strictObject({ ...more, kind: z.literal("page"), pattern: page }),
        z.strictObject({ ...more, kind: z.literal("event"), pattern: event }),
      ],
      "must be page or event",
    )
    .meta({ description: REACHED_BY });
}
