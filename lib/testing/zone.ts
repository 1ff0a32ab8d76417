import { localDay } from "@/lib/platform/time";

/** Returns a timezone in which it is this hour now. */
export function zoneAtHour(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12;
  // The sign in these names is inverted.
  return ahead === 0 ? "UTC" : `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

/** Returns the date (YYYY-MM-DD) in a timezone this many days ago. */
export const dayIn = (timezone: string, days = 0): string =>
  localDay(new Date(), timezone).subtract({ days }).toString();
