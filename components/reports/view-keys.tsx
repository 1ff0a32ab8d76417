"use client";

import { useState } from "react";
import { NO_CUSTOM_COMPARISON } from "@/components/reports/pickers";
import { useShortcut } from "@/components/reports/shortcuts";
import { useGo } from "@/components/reports/view-frame";
import { lazyDialog } from "@/components/ui/lazy";
import type { Period } from "@/lib/contract/fields";

const KeysDialog = lazyDialog(() => import("@/components/reports/keys-dialog"));

/** Letters for the most used periods. */
export const PERIOD_KEYS = { d: "today", w: "7d", m: "30d", y: "12mo" } as const satisfies Record<string, Period>;

interface Props {
  /** The named periods in menu order, for the digits 1 to 9. */
  periods: readonly string[];
  /** Whether the view has a comparison. */
  compared: boolean;
}

/** Keyboard shortcuts for periods and comparison, and the list of all shortcuts (`?`). */
export function ViewKeys({ periods, compared }: Props) {
  const [listed, setListed] = useState(false);
  const show = useGo();
  const range = (period: string) => show({ period, from: null, to: null, interval: null });
  const letters = Object.entries(PERIOD_KEYS);
  const digits = periods.slice(0, 9).map((period, index) => [`${index + 1}`, period] as const);
  useShortcut(
    [...letters, ...digits].map(([key]) => key),
    (key) => {
      const period = new Map<string, string>([...letters, ...digits]).get(key);
      if (period) range(period);
    },
  );
  useShortcut("x", () => show({ ...NO_CUSTOM_COMPARISON, compare: compared ? "none" : "previous_period" }));
  useShortcut("?", () => setListed(true));
  return listed && <KeysDialog onClose={() => setListed(false)} />;
}
