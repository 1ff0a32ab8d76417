/** For how many months a site may keep what was counted; null is forever. */
export const LONGEST_KEPT_MONTHS = 120;

/** What is offered, in the order in which it is. */
export const KEPT_MONTHS = [null, 60, 36, 25, 14, 12, 6, 3, 1] as const;

/** Such a time in the words of a sentence. */
export function describeRetentionMonths(months: number | null): string {
  if (months === null) return "forever";
  if (months % 12 === 0) return months === 12 ? "1 year" : `${months / 12} years`;
  return months === 1 ? "1 month" : `${months} months`;
}
