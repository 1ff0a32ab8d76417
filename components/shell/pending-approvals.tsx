"use client";

import { createContext, type ReactNode, use } from "react";
import { usePolled } from "@/components/ui/polling";
import { t } from "@/lib/texts/translate";

/** Long, because every open tab asks. A tab that becomes visible asks at once. */
const PAUSES = { everyMs: 30_000, idleMs: 5 * 60_000 };

const PendingContext = createContext(0);

interface Props {
  /** Number of pending approvals when the page was rendered. */
  first: number;
  children: ReactNode;
}

/** Provides the number of pending approvals, polled once for all that shows it. */
export function PendingApprovals({ first, children }: Props) {
  const { pending } = usePolled(PAUSES, "/approvals/pending", { pending: first });
  return <PendingContext value={pending}>{children}</PendingContext>;
}

export const usePending = () => use(PendingContext);

/** Badge with the number of pending approvals; renders nothing for 0. */
export function PendingBadge() {
  const pending = usePending();
  return (
    pending > 0 && (
      <span className="grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink tabular-nums">
        {pending > 99 ? "99+" : pending}
        <span className="sr-only"> {t("waiting")}</span>
      </span>
    )
  );
}
