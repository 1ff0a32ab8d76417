"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { type Days, firstOfMonth, placeInWeek, plusDays, plusMonths, weeksOf } from "@/components/ui/calendar-days";
import { dates } from "@/components/ui/format";
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from "@/components/ui/icons";
import { firstWeekday } from "@/lib/platform/locale";

interface Props {
  /** The current range, as ISO days (2026-11-20). */
  chosen: Days;
  /** First and last selectable day. */
  min: string;
  max: string;
  onChoose(days: Days): void;
}

const monthName = dates({ month: "long", year: "numeric" });
const dayName = dates({ weekday: "long", day: "numeric", month: "long", year: "numeric" });
const shortName = dates({ day: "numeric", month: "short", year: "numeric" });
const weekdayName = dates({ weekday: "long" });
const shortWeekday = dates({ weekday: "short" });

/** A month calendar (WAI-ARIA grid). The first click selects one end of the range, the second the other. */
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
    const weekday = placeInWeek(focused, weekStart);
    const step = event.shiftKey ? 12 : 1;
    const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -weekday, End: 6 - weekday }[
      event.key
    ];
    const months = { PageUp: -step, PageDown: step }[event.key];
    if (days === undefined && months === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    byKey.current = true;
    setPointed(null);
    setFocused(clamp(months === undefined ? plusDays(focused, days ?? 0) : plusMonths(focused, months)));
  }

  const moveBy = (months: number) => setFocused(clamp(plusMonths(focused, months)));
  const isOutside = (months: number) => {
    const target = firstOfMonth(plusMonths(month, months));
    return target > max || firstOfMonth(min) > target;
  };
  return (
    <div className="w-[17rem] max-w-full">
      <div className="flex items-center justify-between">
        <div className="flex">
          <NavButton
            label="Previous year"
            disabled={isOutside(-1)}
            onClick={() => moveBy(-12)}
            icon={<ChevronsLeft />}
          />
          <NavButton
            label="Previous month"
            disabled={isOutside(-1)}
            onClick={() => moveBy(-1)}
            icon={<ChevronLeft />}
          />
        </div>
        <p id={id} className="text-sm font-semibold" aria-live="polite">
          {monthName().format(new Date(month))}
        </p>
        <div className="flex">
          <NavButton label="Next month" disabled={isOutside(1)} onClick={() => moveBy(1)} icon={<ChevronRight />} />
          <NavButton label="Next year" disabled={isOutside(1)} onClick={() => moveBy(12)} icon={<ChevronsRight />} />
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
                  day={day}
                  press={press}
                  shown={day.startsWith(month.slice(0, 7))}
                  allowed={min <= day && day <= max}
                  today={day === max}
                  isTabStop={day === focused}
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
        {first === null ? "Select a start date" : `From ${shortName().format(new Date(first))}: select an end date`}
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
  /** Whether it is the grid's tab stop. */
  isTabStop: boolean;
  chosen: boolean;
  end: boolean;
  press(day: string): void;
  onPoint(): void;
}

function Day({ day, shown, allowed, today, isTabStop, chosen, end, press, onPoint }: DayProps) {
  if (!shown) return <td className="h-9" />;
  const look = end ? "bg-accent text-canvas font-semibold" : chosen ? "bg-accent/15" : "hover:bg-sunken";
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the button inside takes the focus
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: as above
    <td role="gridcell" aria-selected={chosen} className="h-9 p-px">
      <button
        type="button"
        data-day={day}
        tabIndex={isTabStop ? 0 : -1}
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

interface NavButtonProps {
  label: string;
  disabled: boolean;
  icon: React.ReactNode;
  onClick(): void;
}

const NavButton = ({ label, disabled, icon, onClick }: NavButtonProps) => (
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
