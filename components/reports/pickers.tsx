"use client";

import { useState } from "react";
import type { CustomDaysProps } from "@/components/reports/custom-days";
import { type Patch, ViewLink } from "@/components/reports/view-frame";
import type { Days } from "@/components/ui/calendar-days";
import { Calendar, Check, Compare, People } from "@/components/ui/icons";
import { lazyDialog } from "@/components/ui/lazy";
import { Menu, MenuAction, MenuChoice, MenuChoices, MenuEnd, menuItem } from "@/components/ui/menu";
import { Popup } from "@/components/ui/popup";

const CustomDays = lazyDialog<CustomDaysProps>(
  () => import("@/components/reports/custom-days"),
  ({ onClose }) => onClose(),
);

/** Takes days of the reader's own to compare with out of an address. */
export const NO_CUSTOM_COMPARISON = { compare_from: null, compare_to: null };

export interface Choice {
  value: string;
  label: string;
}

const Tick = ({ shown }: { shown: boolean }) => (
  <Check className={`size-4 shrink-0 text-accent ${shown ? "" : "invisible"}`} />
);

interface PeriodProps {
  choices: Choice[];
  period: string;
  /** How the chosen range is called. */
  label: string;
  /** The range on show, to begin a custom one from. */
  from: string;
  to: string;
  /** The first day of the site, and its last. */
  since: string;
  today: string;
}

/** Which days: the named periods, or from one day to another. */
export function PeriodPicker({ choices, period, label, from, to, since, today }: PeriodProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <Popup name="Period" icon={<Calendar className="size-4 text-muted" />} label={label} align="end">
        {(close) => (
          <div className="sm:w-[21rem]">
            <div className="grid grid-flow-col grid-cols-2 grid-rows-7 gap-x-1">
              {choices.map((choice) => (
                <ViewLink
                  key={choice.value}
                  patch={{ period: choice.value, from: null, to: null, interval: null }}
                  onGo={close}
                  aria-current={choice.value === period ? "true" : undefined}
                  className={menuItem}
                >
                  {choice.label}
                  <Tick shown={choice.value === period} />
                </ViewLink>
              ))}
            </div>
            <div className="mt-1.5 border-t border-line pt-1.5">
              <button
                type="button"
                aria-haspopup="dialog"
                onClick={() => {
                  close();
                  setChoosing(true);
                }}
                className={menuItem}
              >
                Custom range…
                <Tick shown={period === "custom"} />
              </button>
            </div>
          </div>
        )}
      </Popup>
      {choosing && (
        <CustomDays of="view" chosen={{ from, to }} {...{ since, today }} onClose={() => setChoosing(false)} />
      )}
    </>
  );
}

interface ChoiceProps {
  choices: Choice[];
  current: string;
}

interface ChoicesProps extends ChoiceProps {
  patchOf(value: string): Patch;
}

const Choices = ({ choices, current, patchOf }: ChoicesProps) => (
  <MenuChoices chosen={current}>
    {choices.map(({ value, label }) => (
      <MenuChoice key={value} value={value}>
        <ViewLink patch={patchOf(value)}>
          {label}
          <Tick shown={value === current} />
        </ViewLink>
      </MenuChoice>
    ))}
  </MenuChoices>
);

interface CompareProps extends ChoiceProps, Pick<PeriodProps, "since" | "today"> {
  /** Days of the reader's own, and what they are called. */
  own: (Days & { label: string }) | null;
  /** The days on show: a calendar opens with those before them. */
  from: string;
  to: string;
}

/** What the numbers are compared with. */
export function ComparePicker({ choices, current, own, from, to, since, today }: CompareProps) {
  const [choosing, setChoosing] = useState(false);
  const label = own?.label ?? choices.find((choice) => choice.value === current)?.label;
  const chosen = own ?? { from, to };
  return (
    <>
      <Menu name="Compare with" icon={<Compare className="size-4 text-muted" />} label={label} align="end">
        <Choices
          choices={choices}
          current={own ? "" : current}
          patchOf={(compare) => ({ ...NO_CUSTOM_COMPARISON, compare })}
        />
        <MenuEnd>
          <MenuAction onPress={() => setChoosing(true)}>{own ? "Other days…" : "Custom range…"}</MenuAction>
        </MenuEnd>
      </Menu>
      {choosing && <CustomDays of="comparison" {...{ chosen, since, today }} onClose={() => setChoosing(false)} />}
    </>
  );
}

/** Whose traffic is counted. */
export function TrafficPicker({ choices, current }: ChoiceProps) {
  const label = choices.find((choice) => choice.value === current)?.label;
  return (
    <Menu name="Traffic" icon={<People className="size-4 text-muted" />} label={label}>
      <Choices {...{ choices, current }} patchOf={(traffic) => ({ traffic: traffic === "human" ? null : traffic })} />
    </Menu>
  );
}
