/** The longest retention limit, in months. */
export const LONGEST_KEPT_MONTHS = 120;

/** Retention limits offered in the settings, in display order, in months; null is forever. */
export const KEPT_MONTHS = [null, 60, 36, 25, 14, 12, 6, 3, 1] as const;

/** Formats a retention limit for use in a sentence, such as "2 years". */
export function describeRetentionMonths(months: number | null): string {
  if (months === null) return "forever";
  if (months % 12 === 0) return months === 12 ? "1 year" : `${months / 12} years`;
  return months === 1 ? "1 month" : `${months} months`;
}
