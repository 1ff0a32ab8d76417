import type { Interval } from "@/lib/contract/fields";
import { msg, t } from "@/lib/texts/translate";

/** Returns an interval as a noun, which stands in titles after "by". */
export const intervalName = (interval: Interval): string => t(NAMES[interval]);

const NAMES: Record<Interval, string> = {
  minute: msg("minute"),
  hour: msg("hour"),
  day: msg("day"),
  week: msg("week"),
  month: msg("month"),
};
