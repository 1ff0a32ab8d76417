"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { type Days, firstOfMonth, placeInWeek, plusDays, plusMonths, weeksOf } from "@/components/ui/calendar-days";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "@/components/ui/icons";
import { dateFormat, firstWeekday, perLocale } from "@/lib/platform/locale";

interface Props {
  /** The range on show; days are texts such as 2026-11-20. */
  chosen: Days;
  /** The first and the last day that can be chosen. */
  min: string;
  max: string;
  onChoose(days: Days): void;
}

const dates = (options: Intl.DateTimeFormatOptions) =>
  perLocale((locale) => dateFormat(locale, { ...options, timeZone: "UTC" }));
const monthName = dates({ month: "long", year: "numeric" });
const dayName = dates({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const shortName = dates({ day: "numeric", month: "short", year: "numeric" });
const weekdayName = dates({ weekday: "long" });
const shortWeekday = dates({ weekday: "short" });

/** A month of days (WAI-ARIA grid): the first press chooses one end of a range, the second the other. */
export function RangeCalendar({ chosen, min, max, onChoose }: Props) {
  const clamp = (day: string) => (day < min ? min : day > max ? max : day);
  const [focused, setFocused] = useState(() => clamp(chosen.to));
  const [first, setFirst] = useState<string | null>(null);
  const [pointed, setPointed] = useState<string | null>(null);
  const grid = useRef<HTMLTableElement>(null);
  const byKey = useRef(false);
  const id = useId();
  const weekStart = firstWeekday();
  const month = firstOfMonth(focused);
  const range = first === null ? chosen : between(first, pointed ?? focused);

  useEffect(() => {
    if (byKey.current) grid.current?.querySelector<HTMLElement>(`[data-day="${focused}"]`)?.focus();
    byKey.current = false;
  }, [focused]);

  function press(day: string) {
    setFocused(day);
    setPointed(null);
    if (first === null) return setFirst(day);
    setFirst(null);
    onChoose(between(first, day));
  }

  function onKeyDown(event: KeyboardEvent) {
    const place = placeInWeek(focused, weekStart);
    const months = event.shiftKey ? 12 : 1;
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -place, End: 6 - place }[event.key];
    const turned = { PageUp: -months, PageDown: months }[event.key];
    if (days === undefined && turned === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    byKey.current = true;
    setPointed(null);
    setFocused(clamp(turned === undefined ? plusDays(focused, days ?? 0) : plusMonths(focused, turned)));
  }

  const turn = (months: number) => setFocused(clamp(plusMonths(focused, months)));
  const outside = (months: number) => {
    const there = firstOfMonth(plusMonths(month, months));
    return there > max || firstOfMonth(min) > there;
  };
  return (
    <div className="w-[17rem] max-w-full">
      <div className="flex items-center justify-between">
        <div className="flex">
          <Turn label="Previous year" disabled={outside(-1)} onClick={() => turn(-12)} icon={<ChevronsLeft />} />
          <Turn label="Previous month" disabled={outside(-1)} onClick={() => turn(-1)} icon={<ChevronLeft />} />
        </div>
        <p id={id} className="text-sm font-semibold" aria-live="polite">
          {monthName().format(new Date(month))}
        </p>
        <div className="flex">
          <Turn label="Next month" disabled={outside(1)} onClick={() => turn(1)} icon={<ChevronRight />} />
          <Turn label="Next year" disabled={outside(1)} onClick={() => turn(12)} icon={<ChevronsRight />} />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: WAI-ARIA has no other element for a grid */}
      <table ref={grid} role="grid" aria-labelledby={id} onKeyDown={onKeyDown} className="mt-1 w-full table-fixed">
        <thead>
          <tr>
            {weeksOf(month, weekStart)[1]?.map((day) => (
              <th
                key={day}
                scope="col"
                abbr={weekdayName().format(new Date(day))}
                className="pb-1 text-xs font-normal text-muted"
              >
                {shortWeekday().format(new Date(day))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, weekStart).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <Day
                  key={day}
                  {...{ day, press }}
                  shown={day.startsWith(month.slice(0, 7))}
                  allowed={min <= day && day <= max}
                  today={day === max}
                  stops={day === focused}
                  chosen={range.from <= day && day <= range.to}
                  end={day === range.from || day === range.to}
                  onPoint={() => first !== null && setPointed(day)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1.5 text-center text-[0.8125rem] text-muted" aria-live="polite">
        {first === null ? "Choose the first day" : `From ${shortName().format(new Date(first))}: choose the last day`}
      </p>
    </div>
  );
}

const between = (one: string, other: string): Days =>
  one < other ? { from: one, to: other } : { from: other, to: one };

interface DayProps {
  day: string;
  shown: boolean;
  allowed: boolean;
  today: boolean;
  /** Whether the keyboard stops at it. */
  stops: boolean;
  chosen: boolean;
  end: boolean;
  press(day: string): void;
  onPoint(): void;
}

function Day({ day, shown, allowed, today, stops, chosen, end, press, onPoint }: DayProps) {
  if (!shown) return <td className="h-9" />;
  const look = end ? "bg-accent text-canvas font-semibold" : chosen ? "bg-accent/15" : "hover:bg-sunken";
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it has the focus
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
    <td role="gridcell" aria-selected={chosen} className="h-9 p-px">
      <button
        type="button"
        data-day={day}
        tabIndex={stops ? 0 : -1}
        aria-disabled={!allowed}
        aria-current={today ? "date" : undefined}
        aria-label={dayName().format(new Date(day))}
        onClick={() => allowed && press(day)}
        onPointerEnter={onPoint}
        className={`size-full rounded-md text-sm tabular-nums aria-disabled:cursor-not-allowed aria-disabled:text-muted/60 aria-[current]:underline ${look}`}
      >
        {Number(day.slice(8))}
      </button>
    </td>
  );
}

interface TurnProps {
  label: string;
  disabled: boolean;
  icon: React.ReactNode;
  onClick(): void;
}

const Turn = ({ label, disabled, icon, onClick }: TurnProps) => (
  <button
    type="button"
    aria-label={label}
    aria-disabled={disabled}
    onClick={() => disabled || onClick()}
    className="grid size-8 place-items-center rounded-md text-muted hover:bg-sunken hover:text-ink aria-disabled:opacity-40"
  >
    {icon}
  </button>
);
