import { DAY_MS } from "@/lib/platform/durations";

/** Arithmetic with local days as ISO strings (2026-11-20). Does not use Temporal, to keep the initial bundle small. */

/** A range of local days, both included. */
export interface Days {
  from: string;
  to: string;
}

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const plusDays = (day: string, days: number): string => isoDay(Date.parse(day) + days * DAY_MS);

/** Returns the number of days in a range, both ends included. */
export const daysIn = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Returns the same day of another month, or its last day if the month is shorter. */
export function plusMonths(day: string, months: number): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return isoDay(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

export const firstOfMonth = (day: string): string => `${day.slice(0, 8)}01`;
export const lastOfMonth = (day: string): string => plusDays(plusMonths(firstOfMonth(day), 1), -1);
