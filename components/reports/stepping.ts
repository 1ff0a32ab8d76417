import { type Days, daysIn, firstOfMonth, lastOfMonth, plusDays, plusMonths } from "@/components/ui/calendar-days";
import type { Period } from "@/lib/contract/fields";

/** Computes the previous and next range of a view: the same number of days or calendar months. Days are ISO strings. */

/** The range parameters of a URL; a named period if one ends today. */
export interface SteppedDays {
  period: Period | null;
  from: string | null;
  to: string | null;
}

interface Shown extends Days {
  period: Period;
}

interface Bounds {
  /** First day with possible data. */
  since: string;
  today: string;
}

/** Returns whether a range is one calendar month. */
export const isWholeMonth = ({ from, to }: Days): boolean => from === firstOfMonth(from) && to === lastOfMonth(from);

/** Periods of calendar months; the last month may be in progress. */
const MONTHS: Partial<Record<Period, number>> = { month: 1, last_month: 1, "6mo": 6, "12mo": 12, year: 12 };
const ENDING_TODAY: Record<number, Period> = { 1: "today", 7: "7d", 28: "28d", 30: "30d", 90: "90d" };

const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** Returns the number of calendar months of a range; null if it is not whole months. */
function monthsOf({ period, from, to }: Shown): number | null {
  const named = MONTHS[period];
  if (named) return named;
  const whole = period === "custom" && from === firstOfMonth(from) && to === lastOfMonth(to);
  return whole ? monthNumber(to) - monthNumber(from) + 1 : null;
}

/**
 * Returns the range of the same length before (-1) or after (1) the current one; null if it would be before the site's
 * first day or after today. Calendar months step by months, whatever their number of days.
 */
export function stepped(shown: Shown, step: 1 | -1, { since, today }: Bounds): SteppedDays | null {
  // A URL may contain any year.
  if (shown.period === "all" || shown.from < "1970" || shown.to > "2101") return null;
  const months = monthsOf(shown);
  const days = months ? steppedMonths(shown, months, step) : steppedDays(shown, step, today);
  if (days.to < since || days.from > today) return null;
  return rangeParams(days, months, today);
}

function steppedMonths({ from }: Days, months: number, step: 1 | -1): Days {
  const first = plusMonths(firstOfMonth(from), step * months);
  return { from: first, to: lastOfMonth(plusMonths(first, months - 1)) };
}

/** Steps by the number of days. A range that would end in the future ends today instead. */
function steppedDays({ period, from, to }: Shown, step: 1 | -1, today: string): Days {
  // "Last 24 hours" spans two dates, but steps by one day.
  const first = period === "24h" ? to : from;
  const days = daysIn({ from: first, to });
  const last = plusDays(to, step * days);
  const end = step > 0 && to < today && last > today ? today : last;
  return { from: plusDays(end, 1 - days), to: end };
}

/** Returns the URL parameters of a range. A range that ends today becomes a named period, which moves with the date. */
function rangeParams({ from, to }: Days, months: number | null, today: string): SteppedDays {
  const named = (period: Period) => ({ period, from: null, to: null });
  if (months && to >= today) {
    if (months === 12 && from.endsWith("-01-01")) return named("year");
    const period = { 1: "month", 6: "6mo", 12: "12mo" }[months] as Period | undefined;
    return period ? named(period) : { period: null, from, to: today };
  }
  const period = months || to !== today ? undefined : ENDING_TODAY[daysIn({ from, to })];
  return period ? named(period) : { period: null, from, to };
}

/** Returns the range of a view. `all` starts with the site's first day. */
export function shownDays(view: SteppedDays & { period: Period }, { since, today }: Bounds): Days {
  if (view.from) return { from: view.from, to: view.to ?? today };
  const month = firstOfMonth(today);
  switch (view.period) {
    case "yesterday":
      return { from: plusDays(today, -1), to: plusDays(today, -1) };
    case "24h":
      return { from: plusDays(today, -1), to: today };
    case "month":
      return { from: month, to: today };
    case "last_month":
      return { from: plusMonths(month, -1), to: plusDays(month, -1) };
    case "6mo":
    case "12mo":
      return { from: plusMonths(month, 1 - (MONTHS[view.period] ?? 1)), to: today };
    case "year":
      return { from: `${today.slice(0, 4)}-01-01`, to: today };
    case "all":
      return { from: since < today ? since : today, to: today };
    default: {
      const days = Object.entries(ENDING_TODAY).find(([, period]) => period === view.period)?.[0] ?? 28;
      return { from: plusDays(today, 1 - Number(days)), to: today };
    }
  }
}
