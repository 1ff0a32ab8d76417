import { type Days, daysIn, firstOfMonth, lastOfMonth, plusDays, plusMonths } from "@/components/ui/calendar-days";
import type { Period } from "@/lib/contract/fields";

/** The days before and after those on show: as many, or as many months of the calendar. Days are texts such as 2026-11-20. */

/** What of an address says which days; a named period where one ends with today. */
export interface SteppedDays {
  period: Period | null;
  from: string | null;
  to: string | null;
}

interface Shown extends Days {
  period: Period;
}

interface Bounds {
  /** The first day of which the site can have anything. */
  since: string;
  today: string;
}

/** Whether days are one month of the calendar. */
export const isWholeMonth = ({ from, to }: Days): boolean => from === firstOfMonth(from) && to === lastOfMonth(from);

/** Periods of whole months, of which the last may have just begun. */
const MONTHS: Partial<Record<Period, number>> = { month: 1, last_month: 1, "6mo": 6, "12mo": 12, year: 12 };
const ENDING_TODAY: Record<number, Period> = { 1: "today", 7: "7d", 28: "28d", 30: "30d", 90: "90d" };

const monthNumber = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));

/** How many months of the calendar the days are; null for other days. */
function monthsOf({ period, from, to }: Shown): number | null {
  const named = MONTHS[period];
  if (named) return named;
  const whole = period === "custom" && from === firstOfMonth(from) && to === lastOfMonth(to);
  return whole ? monthNumber(to) - monthNumber(from) + 1 : null;
}

/**
 * The period of the same length before (-1) or after (1) the one on show; null where it would lie before the site began or
 * after today. Months are followed by months, also where these have more or fewer days.
 */
export function stepped(shown: Shown, step: 1 | -1, { since, today }: Bounds): SteppedDays | null {
  // Of years that no site has, an address may name any.
  if (shown.period === "all" || shown.from < "1970" || shown.to > "2101") return null;
  const months = monthsOf(shown);
  const days = months ? steppedMonths(shown, months, step) : steppedDays(shown, step, today);
  if (days.to < since || days.from > today) return null;
  return addressed(days, months, today);
}

function steppedMonths({ from }: Days, months: number, step: 1 | -1): Days {
  const first = plusMonths(firstOfMonth(from), step * months);
  return { from: first, to: lastOfMonth(plusMonths(first, months - 1)) };
}

/** As many days. What would end in the future ends today, if any of it is new. */
function steppedDays({ period, from, to }: Shown, step: 1 | -1, today: string): Days {
  // The last 24 hours are of two dates, and are followed by one.
  const first = period === "24h" ? to : from;
  const days = daysIn({ from: first, to });
  const last = plusDays(to, step * days);
  const end = step > 0 && to < today && last > today ? today : last;
  return { from: plusDays(end, 1 - days), to: end };
}

/** Days that end with today are called by the name of their period, which goes on with tomorrow. */
function addressed({ from, to }: Days, months: number | null, today: string): SteppedDays {
  const named = (period: Period) => ({ period, from: null, to: null });
  if (months && to >= today) {
    if (months === 12 && from.endsWith("-01-01")) return named("year");
    const period = { 1: "month", 6: "6mo", 12: "12mo" }[months] as Period | undefined;
    return period ? named(period) : { period: null, from, to: today };
  }
  const period = months || to !== today ? undefined : ENDING_TODAY[daysIn({ from, to })];
  return period ? named(period) : { period: null, from, to };
}

/** The days that a view names. Those of `all` begin with the site. */
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
