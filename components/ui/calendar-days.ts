/** Arithmetic of local days, which are texts such as 2026-11-20. Without Temporal: pages load this at once. */

export interface Days {
  from: string;
  to: string;
}

const DAY_MS = 86_400_000;
const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const plusDays = (day: string, days: number): string => isoDay(Date.parse(day) + days * DAY_MS);

/** How many days from one to another, both counted. */
export const daysIn = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** The same day of another month, or its last. */
export function plusMonths(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

export const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`;
export const lastOfMonth = (day: string): string => plusDays(plusMonths(firstOfMonth(day), 1), -1);

/** How many days after the first of its week a day is. @param first the weekday on which weeks begin: 1 is Monday, 7 Sunday */
export const placeInWeek = (day: string, first: number): number => (new Date(day).getUTCDay() - first + 7) % 7;

/** The weeks that hold a month: always six, so that nothing moves from month to month. */
export function weeksOf(month: string, first: number): string[][] {
  const begin = plusDays(month, -placeInWeek(month, first));
  return Array.from({ length: 6 }, (_, week) => Array.from({ length: 7 }, (_, day) => plusDays(begin, week * 7 + day)));
}
