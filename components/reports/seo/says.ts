import { moved, sentencesOf } from "@/components/reports/sentences";
import type { SeoAnswer } from "@/components/reports/seo/sheets";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

/** Returns how visits from search engines and from AI assistants went. */
export function seoSays({ organic, assistants, comparison }: SeoAnswer): string | null {
  if (organic.visits + assistants.visits === 0) return null;
  const visits = (label: string, now: number, before: number | undefined) =>
    moved({ label, isPlural: true, now, before, format: formatExactly });
  return sentencesOf(
    visits(t("Visits from search engines"), organic.visits, comparison?.organic.visits),
    visits(t("Visits from AI assistants"), assistants.visits, comparison?.assistants.visits),
  );
}
