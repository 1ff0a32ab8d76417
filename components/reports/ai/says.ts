import { type AiAnswer, purposeName } from "@/components/reports/ai/sheets";
import { moved, named, sentencesOf } from "@/components/reports/sentences";
import { formatExactly } from "@/lib/contract/numbers";
import { inSentence } from "@/lib/texts/in-sentence";
import { t } from "@/lib/texts/translate";

/** Returns how much AI agents read, which one the most and for what, and how often they got an error. */
export function aiSays({ totals, agents, comparison, unread }: AiAnswer): string | null {
  if (unread === null) return null;
  const reads = moved({
    label: t("Pages read by AI agents"),
    isPlural: true,
    now: totals.ai.reads,
    before: comparison?.totals.ai.reads,
    format: formatExactly,
  });
  const [most] = agents;
  return sentencesOf(
    reads,
    most?.agent != null && most.reads > 0 && mostSays({ ...most, agent: most.agent }),
    totals.ai.errors > 0 &&
      t("{count, plural, one {# request} other {# requests}} of AI agents got an error", { count: totals.ai.errors }),
  );
}

function mostSays({ agent, operator, reads, purpose }: AiAnswer["agents"][number] & { agent: string }): string {
  const known = { agent: named(agent), reads: formatExactly(reads), purpose: inSentence(purposeName(purpose)) };
  return operator
    ? t("Of agents and crawlers, {agent} of {operator} read the most: {reads} (purpose: {purpose})", {
        ...known,
        operator: named(operator),
      })
    : t("Of agents and crawlers, {agent} read the most: {reads} (purpose: {purpose})", known);
}
