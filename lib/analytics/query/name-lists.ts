import { z } from "zod";
import { optionalParam } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";

/** Parameters that are comma-separated lists of names, such as dimensions. */

/** Schema of comma-separated names. */
export const namesOf = (what: string) =>
  optionalParam(z.string(`must be a comma-separated list of ${what}`).max(500, "must have at most 500 characters"));

/** Parses comma-separated names. @throws Refusal `invalid_input` for unknown names and for too many names. */
export function readNames<Name extends string>(
  path: string,
  text: string,
  known: readonly Name[],
  max: number,
): Name[] {
  const names = [...new Set(text.split(",").flatMap((name) => name.trim() || []))];
  if (names.length > max) throw invalidInput([{ path, message: `has ${names.length} names; send at most ${max}` }]);
  return names.map((name) => {
    const found = known.find((one) => one === name);
    if (found) return found;
    throw invalidInput([
      { path, message: `has the unknown name ${name.slice(0, 100)}; choose from ${known.join(", ")}` },
    ]);
  });
}
