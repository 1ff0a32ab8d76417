"use client";

import { useState } from "react";
import { useGo, ZOOMED } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { between, RangeCalendar } from "@/components/ui/calendar";
import type { Days } from "@/components/ui/calendar-days";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { formatDate } from "@/components/ui/format";
import { PlainDialog } from "@/components/ui/plain-dialog";
import { t } from "@/lib/texts/translate";

interface Props {
  /** Whether it selects the range of the view or of the comparison. */
  of: "view" | "comparison";
  chosen: Days;
  since: string;
  today: string;
  onClose(): void;
}

/** Dialog to select a custom range: typed into two fields, or clicked in a calendar. */
export default function CustomDays({ of, chosen, since, today, onClose }: Props) {
  const go = useGo();
  const [typed, setTyped] = useState(chosen);
  const [isSent, setSent] = useState(false);
  const problems = { from: problemOf(typed.from), to: problemOf(typed.to) };
  const isRange = !problems.from && !problems.to;

  function problemOf(day: string): string | undefined {
    return day >= since && day <= today
      ? undefined
      : t("Enter a date from {since} to {today}.", { since: formatDate(since), today: formatDate(today) });
  }

  function show({ from, to }: Days) {
    onClose();
    if (of === "view") go({ period: null, interval: null, from, to, [ZOOMED]: null });
    else go({ compare: null, compare_from: from, compare_to: to });
  }

  return (
    <PlainDialog title={of === "view" ? t("Custom range") : t("Compare with a custom range")} isWide onClose={onClose}>
      <Form
        problem={undefined}
        onSubmit={() => (isRange ? show(between(typed.from, typed.to)) : setSent(true))}
        className="mb-5 flex flex-wrap items-start gap-x-3 gap-y-2"
      >
        {(["from", "to"] as const).map((end) => (
          <div key={end} className="min-w-0 flex-1 basis-36">
            <Field
              label={end === "from" ? t("From") : t("To")}
              type="date"
              min={since}
              max={today}
              required
              value={typed[end]}
              onChange={({ target }) => setTyped({ ...typed, [end]: target.value })}
              problem={isSent ? problems[end] : undefined}
              // The calendar is below.
              className="tabular-nums pointer-fine:[&::-webkit-calendar-picker-indicator]:hidden"
            />
          </div>
        ))}
        <Button type="submit" className="mt-[1.625rem] max-sm:mt-0 max-sm:w-full">
          {t("Show")}
        </Button>
      </Form>
      <div className="grid place-items-center">
        <RangeCalendar
          chosen={isRange ? between(typed.from, typed.to) : chosen}
          min={since}
          max={today}
          onStart={(day) => setTyped({ from: day, to: "" })}
          onChoose={show}
        />
      </div>
    </PlainDialog>
  );
}
