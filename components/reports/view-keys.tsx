"use client";

import { useState } from "react";
import { NO_CUSTOM_COMPARISON } from "@/components/reports/pickers";
import { useShortcut } from "@/components/reports/shortcuts";
import { type Patch, useGo, useViewHref } from "@/components/reports/view-frame";
import { lazyDialog } from "@/components/ui/lazy";
import type { Period } from "@/lib/contract/fields";

const KeysDialog = lazyDialog(
  () => import("@/components/reports/keys-dialog"),
  ({ onClose }) => onClose(),
);

/** Letters for the ranges that people look at most. */
export const PERIOD_KEYS = { d: "today", w: "7d", m: "30d", y: "12mo" } as const satisfies Record<string, Period>;

interface Props {
  /** The named ranges in the order of their menu: the digits from 1. */
  periods: readonly string[];
  /** Whether something is compared now. */
  compared: boolean;
}

/** The keys that choose another view, and the list of all keys behind `?`. */
export function ViewKeys({ periods, compared }: Props) {
  const [listed, setListed] = useState(false);
  const href = useViewHref();
  const go = useGo();
  const show = (patch: Patch) => go(href(patch));
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
