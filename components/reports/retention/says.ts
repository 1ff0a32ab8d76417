import type { RetentionAnswer } from "@/components/reports/retention/sheets";
import { caution, sentencesOf } from "@/components/reports/sentences";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";

/** Returns the share of new visitors who came back in the first later period, and of how many that is. */
export function retentionSays({ average, average_of, cohort, identity }: RetentionAnswer): string | null {
  if (identity === "none") return null;
  const [rate, people] = [average[1] ?? null, average_of[1] ?? 0];
  if (rate === null) return null;
  // Visitors without a user id are recognised on no other day, and count in no cohort.
  const those = identity === "user_id" ? "new visitors with a user id" : "new visitors";
  return sentencesOf(
    `${formatPercent(rate)} of ${those} came back in the next ${cohort}, of ${formatExactly(people)} whose next ${cohort} is complete`,
    caution(people, "visitor"),
  );
}
