import type { ReactNode } from "react";
import { Badge } from "@/components/ui/badge";

export interface Delivery {
  id: string;
  type: string;
  /** When it was made, in words. */
  made: ReactNode;
  /** What the last try came to; null before the first. */
  outcome: string | null;
  delivered: boolean;
  /** When it is tried next, in words; null when it is over. */
  next: ReactNode;
}

/** The latest messages to a webhook, and what became of them. */
export function Deliveries({ deliveries }: { deliveries: Delivery[] }) {
  if (deliveries.length === 0) return <p className="text-sm text-muted">Nothing was sent yet.</p>;
  return (
    <ul className="divide-y divide-line border-t border-line text-sm">
      {deliveries.map(({ id, type, made, outcome, delivered, next }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <span className="min-w-0">
            <span className="font-mono">{type}</span> <span className="text-muted">{made}</span>
          </span>
          <span className="flex flex-wrap items-center gap-2 text-muted">
            {outcome ?? "Not sent yet"}
            {delivered ? (
              <Badge tone="good">Taken</Badge>
            ) : next ? (
              <Badge tone="warn">Next {next}</Badge>
            ) : (
              <Badge tone="bad">Given up</Badge>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
