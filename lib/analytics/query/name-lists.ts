import { z } from "zod";
import { type BreakdownKey, DIMENSIONS, isDimension } from "@/lib/analytics/query/dimensions";
import { optionalParam } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { canonicalName } from "@/lib/platform/names";

/** Parameters that are comma-separated lists of names, such as dimensions. */

/** Schema of comma-separated names. */
export const nameList = (what: string) =>
  optionalParam(z.string(`must be a comma-separated list of ${what}`).max(500, "must have at most 500 characters"));

/** Parses comma-separated names. @throws Refusal `invalid_input` for unknown names and for too many names. */
export function readNames<Name extends string>(
  path: string,
  text: string,
  known: readonly Name[],
  max: number,
): Name[] {
  return namesIn(path, text, max).map((name) => {
    const found = known.find((one) => one === name);
    if (found) return found;
    throw invalidInput([
      { path, message: `has the unknown name ${name.slice(0, 100)}; choose from ${known.join(", ")}` },
    ]);
  });
}

const LONGEST_PROPERTY = 255;

/** Parses dimensions and custom properties, `prop:<name>`. @throws Refusal `invalid_input` as `readNames`. */
export function readBreakdown(path: string, text: string, max: number): BreakdownKey[] {
  const keys = namesIn(path, text, max).map((name): BreakdownKey => {
    if (isDimension(name)) return name;
    const property = canonicalName(/^prop:(.+)$/s.exec(name)?.[1] ?? "");
    if (property !== "" && property.length <= LONGEST_PROPERTY) return `prop:${property}`;
    const message = `has the unknown name ${name.slice(0, 100)}; choose from ${Object.keys(DIMENSIONS).join(", ")} and prop:<name> with at most ${LONGEST_PROPERTY} characters`;
    throw invalidInput([{ path, message }]);
  });
  return [...new Set(keys)];
}

function namesIn(path: string, text: string, max: number): string[] {
  const names = [...new Set(text.split(",").flatMap((name) => name.trim() || []))];
  if (names.length > max) throw invalidInput([{ path, message: `has ${names.length} names; send at most ${max}` }]);
  return names;
}
