"use client";

import { createContext, type ReactNode, use, useEffect, useRef, useState } from "react";
import { startPolling } from "@/components/ui/polling";
import { formatExactly } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

const PAUSES = { everyMs: 10_000, idleMs: 60_000 };

type Counts = Record<number, number>;
const Context = createContext<Counts>({});

interface Props {
  siteIds: number[];
  /** Counts rendered with the page. */
  first: Counts;
  children: ReactNode;
}

/** Provides the current visitors of each site, polled while the page is visible. */
export function PresentCounts({ siteIds, first, children }: Props) {
  const sites = siteIds.join(",");
  const [counts, setCounts] = useState({ first, latest: first });
  if (counts.first !== first) setCounts({ first, latest: first });
  const known = useRef("");

  useEffect(() => {
    if (!sites) return;
    return startPolling(PAUSES, async (signal) => {
      const answer = await fetch(`/sites/present?sites=${sites}`, { cache: "no-store", signal }).catch(() => null);
      // The session has ended.
      if (answer?.status === 401) return "never";
      const next: { present: Counts } | null = answer?.ok ? await answer.json().catch(() => null) : null;
      if (!next || JSON.stringify(next.present) === known.current) return undefined;
      known.current = JSON.stringify(next.present);
      setCounts((before) => ({ ...before, latest: next.present }));
      return "news";
    });
  }, [sites]);

  return <Context value={counts.latest}>{children}</Context>;
}

/** Number of current visitors of a site; renders nothing for 0. */
export function PresentCount({ siteId }: { siteId: number }) {
  const present = use(Context)[siteId] ?? 0;
  if (present === 0) return null;
  return (
    <p className="flex shrink-0 items-center gap-1.5 text-ink tabular-nums" title={t("Visitors in the last 5 minutes")}>
      <span className="size-2 rounded-full bg-good" aria-hidden="true" />
      {t("{count} now", { count: formatExactly(present) })}
    </p>
  );
}
