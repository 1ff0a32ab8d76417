import { METRICS } from "@/lib/contract/vocabulary";
import { type Block, type Part, part, terms, text } from "@/lib/publish/articles/article";

/** A number of another product beside ours. */
export interface Compared {
  metric: keyof typeof METRICS;
  /** How the other product counts it, as a sentence. */
  theirs: string;
  /** Which of the two is higher, and why. */
  so: string;
}

/** Returns the part of a guide that puts the definitions side by side. */
export function numbersBeside(product: string, compared: readonly Compared[], ...more: Block[]): Part {
  return part(
    "numbers",
    "Which numbers differ, and why",
    text(`Our definition comes first, then that of ${product}, and which of the two numbers is higher.`),
    terms(
      compared.map(({ metric, theirs, so }) => {
        const { label, about } = METRICS[metric];
        return [label, `${about} ${product}: ${theirs} ${so}`] as const;
      }),
    ),
    ...more,
  );
}

export const TEST_IT = text(
  "Open Settings, Live test, and a page of your site: each event shows which product's client sent it, and how it was read. Refused events are counted under Settings, Exclusions.",
);
