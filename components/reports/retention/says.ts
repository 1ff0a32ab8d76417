import type { RetentionAnswer } from "@/components/reports/retention/sheets";
import { caution, sentencesOf } from "@/components/reports/sentences";
import { formatExactly, formatPercent } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

/** Returns the share of new visitors who came back in the first later period, and of how many that is. */
export function retentionSays({ average, average_of, cohort, identity }: RetentionAnswer): string | null {
  if (identity === "none") return null;
  const [rate, people] = [average[1] ?? null, average_of[1] ?? 0];
  if (rate === null) return null;
  const known = { share: formatPercent(rate), unit: cohort, count: formatExactly(people) };
  return sentencesOf(
    // Visitors without a user id are recognised on no other day, and count in no cohort.
    identity === "user_id"
      ? t(
          "{share} of new visitors with a user id came back in the next {unit, select, day {day} week {week} other {month}}, of {count} whose next {unit, select, day {day} week {week} other {month}} is complete",
          known,
        )
      : t(
          "{share} of new visitors came back in the next {unit, select, day {day} week {week} other {month}}, of {count} whose next {unit, select, day {day} week {week} other {month}} is complete",
          known,
        ),
    caution(people, "visitor"),
  );
}
