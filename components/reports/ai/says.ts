import { type AiAnswer, purposeName } from "@/components/reports/ai/sheets";
import { moved, named, sentencesOf } from "@/components/reports/sentences";
import { formatPlural } from "@/components/ui/format";
import { formatExactly } from "@/lib/contract/numbers";

/** Returns how much AI agents read, which one the most and for what, and how often they got an error. */
export function aiSays({ totals, agents, comparison, unread }: AiAnswer): string | null {
  if (unread === null) return null;
  const reads = moved({
    label: "Pages read by AI agents",
    isPlural: true,
    now: totals.ai.reads,
    before: comparison?.totals.ai.reads,
    format: formatExactly,
  });
  const [most] = agents;
  return sentencesOf(
    reads,
    most?.agent != null &&
      most.reads > 0 &&
      `Of agents and crawlers, ${named(most.agent)}${most.operator ? ` of ${named(most.operator)}` : ""} read the most: ${formatExactly(most.reads)} (purpose: ${purposeName(most.purpose).toLowerCase()})`,
    totals.ai.errors > 0 && `${formatPlural(totals.ai.errors, "request")} of AI agents got an error`,
  );
}
