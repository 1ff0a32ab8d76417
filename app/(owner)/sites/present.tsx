"use client";

import { createContext, type ReactNode, use } from "react";
import { usePolled } from "@/components/ui/polling";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

const PAUSES = { everyMs: 10_000, idleMs: 60_000 };

type Counts = Record<number, number>;
const PresentContext = createContext<Counts>({});

interface Props {
  siteIds: number[];
  /** Counts rendered with the page. */
  first: Counts;
  children: ReactNode;
}

/** Provides the current visitors of each site, polled while the page is visible. */
export function PresentCounts({ siteIds, first, children }: Props) {
  const sites = siteIds.join(",");
  const { present } = usePolled(PAUSES, sites ? `/sites/present?sites=${sites}` : null, { present: first });
  return <PresentContext value={present}>{children}</PresentContext>;
}

/** Number of current visitors of a site; renders nothing for 0. */
export function PresentCount({ siteId }: { siteId: number }) {
  const present = use(PresentContext)[siteId] ?? 0;
  if (present === 0) return null;
  return (
    <p className="flex shrink-0 items-center gap-1.5 text-ink tabular-nums" title={t("Visitors in the last 5 minutes")}>
      <span className="size-2 rounded-full bg-good" aria-hidden="true" />
      {t("{count} now", { count: formatExactly(present) })}
    </p>
  );
}
