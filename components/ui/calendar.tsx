"use client";

import { useState, useSyncExternalStore } from "react";
import { DayPicker } from "react-day-picker";
import { type Days, firstOfMonth, plusDays, plusMonths } from "@/components/ui/calendar-days";
import { dates, formatDate } from "@/components/ui/format";
import { DAY_MS } from "@/lib/platform/durations";
import { firstWeekday } from "@/lib/platform/locale";
import { t } from "@/lib/texts/translate";

interface Props {
  /** The current range, as ISO days (2026-11-20). */
  chosen: Days;
  /** First and last selectable day. */
  min: string;
  max: string;
  /** Called with the day of the first click. */
  onStart(day: string): void;
  onChoose(days: Days): void;
}

// The calendar's dates are midnights of the browser's timezone; our days have none.
const dateOf = (day: string): Date => new Date(`${day}T00:00`);
const dayOf = (date: Date): string =>
  plusDays("1970-01-01", Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / DAY_MS);
const named = (options: Intl.DateTimeFormatOptions) => {
  const format = dates(options);
  return (date: Date) => format().format(new Date(dayOf(date)));
};

const FORMATS = {
  formatCaption: named({ month: "long", year: "numeric" }),
  formatMonthDropdown: named({ month: "long" }),
  formatYearDropdown: named({ year: "numeric" }),
  formatWeekdayName: named({ weekday: "short" }),
};
const LABELS = {
  labelGrid: FORMATS.formatCaption,
  labelWeekday: named({ weekday: "long" }),
  labelDayButton: named({ weekday: "long", day: "numeric", month: "long", year: "numeric" }),
  labelMonthDropdown: () => t("Month"),
  labelYearDropdown: () => t("Year"),
  labelPrevious: () => t("Previous month"),
  labelNext: () => t("Next month"),
};

const navigation =
  "absolute top-0 grid size-8 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink aria-disabled:opacity-40";
const LOOK = {
  root: "relative",
  months: "flex justify-center gap-8",
  month: "w-[17rem] max-w-full",
  month_caption: "flex h-8 items-center justify-center",
  dropdowns: "flex gap-1",
  // The library shows the value beside the select, which lies over it unseen.
  dropdown_root: "relative rounded-md hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent",
  dropdown: "absolute inset-0 cursor-pointer opacity-0",
  caption_label: "flex items-center gap-1 px-1.5 py-1 text-sm font-semibold",
  button_previous: `${navigation} left-0`,
  button_next: `${navigation} right-0`,
  chevron: "size-3.5 fill-muted",
  month_grid: "mt-1 w-full table-fixed",
  weekday: "py-1 text-xs font-normal text-muted",
  day: "h-9 p-px text-center",
  day_button:
    "size-full rounded-md text-sm tabular-nums hover:bg-sunken disabled:cursor-not-allowed disabled:text-muted/60",
  today: "underline",
};
const CHOSEN_LOOK = {
  selected: "[&>button]:bg-accent/15",
  end: "[&>button]:bg-accent! [&>button]:font-semibold [&>button]:text-canvas!",
};

/** Two months fit beside each other. */
const WIDE = "(min-width: 44rem)";
const onResize = (changed: () => void) => {
  const query = matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
};

/**
 * A calendar of two months, or one on a narrow screen. The first click selects one end of the range, the second the
 * other. It opens at the end of `chosen`, and again wherever another range is chosen.
 */
export function RangeCalendar({ chosen, min, max, onStart, onChoose }: Props) {
  const months = useSyncExternalStore(onResize, () => (matchMedia(WIDE).matches ? 2 : 1));
  const [first, setFirst] = useState<string | null>(null);
  const [shown, setShown] = useState({ for: chosen.to, month: lastAt(chosen.to, months) });
  if (shown.for !== chosen.to && first === null) setShown({ for: chosen.to, month: lastAt(chosen.to, months) });
  const [pointed, setPointed] = useState<string | null>(null);
  const range = first === null ? chosen : between(first, pointed ?? first);
  const [from, to] = [dateOf(range.from), dateOf(range.to)];
  const [earliest, latest] = [dateOf(min), dateOf(max)];

  function press(day: string) {
    setPointed(null);
    if (first === null) {
      setFirst(day);
      return onStart(day);
    }
    setFirst(null);
    onChoose(between(first, day));
  }

  return (
    <DayPicker
      captionLayout="dropdown"
      fixedWeeks
      numberOfMonths={months}
      month={dateOf(shown.month)}
      onMonthChange={(date) => setShown({ for: shown.for, month: dayOf(date) })}
      startMonth={earliest}
      endMonth={latest}
      today={latest}
      disabled={{ before: earliest, after: latest }}
      weekStartsOn={(firstWeekday() % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6}
      modifiers={{ selected: { from, to }, end: [from, to] }}
      modifiersClassNames={CHOSEN_LOOK}
      onDayClick={(date) => press(dayOf(date))}
      onDayMouseEnter={(date) => setPointed(dayOf(date))}
      onDayFocus={(date) => setPointed(dayOf(date))}
      footer={
        <p className="mt-1.5 text-center text-[0.8125rem] text-muted">
          {first === null
            ? t("Select a start date")
            : t("From {date}: select an end date", { date: formatDate(first) })}
        </p>
      }
      formatters={FORMATS}
      labels={LABELS}
      classNames={LOOK}
    />
  );
}

/** Returns the first month of as many that end with that of a day. */
const lastAt = (day: string, months: number): string => plusMonths(firstOfMonth(day), 1 - months);

export const between = (one: string, other: string): Days =>
  one < other ? { from: one, to: other } : { from: other, to: one };
