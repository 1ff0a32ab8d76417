"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useShortcut } from "@/components/reports/shortcuts";
import { type SteppedDays, shownDays, stepped } from "@/components/reports/stepping";
import { useGo, useWaiting } from "@/components/reports/view-frame";
import type { Period } from "@/lib/contract/fields";
import { t } from "@/lib/texts/translate";

interface Props {
  period: Period;
  from: string;
  to: string;
  since: string;
  today: string;
  /** The period picker, between the two buttons. */
  children: ReactNode;
}

/** Buttons and arrow keys for the previous and next period. */
export function PeriodSteps({ period, from, to, since, today, children }: Props) {
  const go = useGo();
  const waiting = useWaiting();
  // While a view loads, further steps continue from its range.
  const pending = useRef<SteppedDays | null>(null);
  const bounds = { since, today };
  const shown = { period, from, to };
  const before = stepped(shown, -1, bounds);
  const after = stepped(shown, 1, bounds);

  function step(by: 1 | -1) {
    const next = stepped(waiting && pending.current ? daysOf(pending.current) : shown, by, bounds);
    if (!next) return;
    pending.current = next;
    go({ ...next });
  }

  function daysOf(days: SteppedDays) {
    const named = days.period ?? "custom";
    return { period: named, ...shownDays({ ...days, period: named }, bounds) };
  }

  useShortcut(["arrowleft", "arrowright"], (key) => step(key === "arrowleft" ? -1 : 1));
  return (
    <div className="flex min-w-0">
      <PeriodStep label={t("Previous period")} keys="←" disabled={!before} onClick={() => step(-1)}>
        <ChevronLeft />
      </PeriodStep>
      {children}
      <PeriodStep label={t("Next period")} keys="→" disabled={!after} onClick={() => step(1)}>
        <ChevronRight />
      </PeriodStep>
    </div>
  );
}

interface StepProps {
  label: string;
  keys: string;
  disabled: boolean;
  onClick(): void;
  children: ReactNode;
}

/** At the end of the range it is disabled but keeps the focus. */
const PeriodStep = ({ label, keys, disabled, onClick, children }: StepProps) => (
  <button
    type="button"
    aria-label={label}
    title={`${label} (${keys})`}
    aria-disabled={disabled}
    onClick={() => disabled || onClick()}
    className="grid h-9 w-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink aria-disabled:cursor-default aria-disabled:opacity-40"
  >
    {children}
  </button>
);
