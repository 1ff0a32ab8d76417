"use client";

import { useGo } from "@/components/reports/view-frame";
import { RangeCalendar } from "@/components/ui/calendar";
import type { Days } from "@/components/ui/calendar-days";
import { PlainDialog } from "@/components/ui/plain-dialog";

interface Props {
  /** Whether it selects the range of the view or of the comparison. */
  of: "view" | "comparison";
  chosen: Days;
  since: string;
  today: string;
  onClose(): void;
}

/** Dialog to select a custom range in a calendar. */
export default function CustomDays({ of, chosen, since, today, onClose }: Props) {
  const go = useGo();

  function show({ from, to }: Days) {
    onClose();
    if (of === "view") go({ period: null, interval: null, from, to });
    else go({ compare: null, compare_from: from, compare_to: to });
  }

  return (
    <PlainDialog title={of === "view" ? "Custom range" : "Compare with a custom range"} onClose={onClose}>
      <div className="grid place-items-center">
        <RangeCalendar chosen={chosen} min={since} max={today} onChoose={show} />
      </div>
    </PlainDialog>
  );
}
