import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { rich } from "@/components/ui/rich";
import { outcomeInWords } from "@/lib/contract/outcome-words";
import { t } from "@/lib/texts/translate";

export interface Delivery {
  id: string;
  type: string;
  /** Formatted time of its creation. */
  made: ReactNode;
  /** Result of the last attempt; null before the first. */
  outcome: string | null;
  delivered: boolean;
  /** Formatted time of the next attempt; null if there is none. */
  next: ReactNode;
}

/** Latest messages to a webhook with their delivery status. */
export function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  if (deliveries.length === 0) return <p className="text-sm text-muted">{t("No messages sent yet.")}</p>;
  return (
    <ul className="divide-y divide-line border-t border-line text-sm">
      {deliveries.map(({ id, type, made, outcome, delivered, next }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <span className="min-w-0">
            <span className="font-mono">{type}</span> <span className="text-muted">{made}</span>
          </span>
          <span className="flex flex-wrap items-center gap-2 text-muted">
            {outcome === null ? t("Not sent yet") : outcomeInWords(outcome)}
            {delivered ? (
              <Badge tone="good">{t("Delivered")}</Badge>
            ) : next ? (
              <Badge tone="warn">{rich("Next {when}", { when: next })}</Badge>
            ) : (
              <Badge tone="bad">{t("Failed")}</Badge>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
