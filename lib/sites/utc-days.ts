import { optionalParam, supportedDay } from "@/lib/contract/fields";
import { invalidInput } from "@/lib/platform/errors";
import { localDay, Temporal } from "@/lib/platform/time";

/** The range of UTC days of counts that are kept by UTC day. */

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** The fields of the operations. */
export const daysInput = {
  from: optionalParam(supportedDay).meta({
    description: `First UTC day, inclusive; default ${DEFAULT_DAYS - 1} days before \`to\``,
  }),
  to: optionalParam(supportedDay).meta({ description: "Last UTC day, inclusive; default today" }),
};

/** Returns the first and last day as ISO dates. @throws Refusal `invalid_input` for a range that is empty or too long. */
export function utcDays(input: { from?: string | null | undefined; to?: string | null | undefined }, now: Date) {
  const to = Temporal.PlainDate.from(input.to ?? localDay(now, "UTC"));
  const from = input.from ? Temporal.PlainDate.from(input.from) : to.subtract({ days: DEFAULT_DAYS - 1 });
  const days = from.until(to).days + 1;
  if (days < 1) throw invalidInput([{ path: "from", message: `is after to (${to}); swap them` }]);
  if (days > MAX_DAYS) throw invalidInput([{ path: "from", message: `must be at most ${MAX_DAYS} days before to` }]);
  return { from: from.toString(), to: to.toString() };
}
