/** Lengths of time in milliseconds. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours, also where a local day of a time zone has 23 or 25. */
export const DAY_MS = 24 * HOUR_MS;
