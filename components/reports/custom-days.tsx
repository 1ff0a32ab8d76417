"use client";

import { useGo, useViewHref } from "@/components/reports/view-frame";
import { RangeCalendar } from "@/components/ui/calendar";
import type { Days } from "@/components/ui/calendar-days";
import { PlainDialog } from "@/components/ui/plain-dialog";

export interface CustomDaysProps {
  /** Which days are chosen: those on show, or those that they are compared with. */
  of: "view" | "comparison";
  chosen: Days;
  since: string;
  today: string;
  onClose(): void;
}

/** Chooses any days by a calendar. */
export default function CustomDays({ of, chosen, since, today, onClose }: CustomDaysProps) {
  const href = useViewHref();
  const go = useGo();

  function show({ from, to }: Days) {
    onClose();
    if (of === "view") go(href({ period: null, interval: null, from, to }));
    else go(href({ compare: null, compare_from: from, compare_to: to }));
  }

  return (
    <PlainDialog title={of === "view" ? "Show other days" : "Compare with other days"} onClose={onClose}>
      <div className="grid place-items-center">
        <RangeCalendar chosen={chosen} min={since} max={today} onChoose={show} />
      </div>
    </PlainDialog>
  );
}
