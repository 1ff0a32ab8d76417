"use client";

import { Calendar, ChartLine, Check, Target, Users } from "lucide-react";
import { useState } from "react";
import { type Patch, ViewLink } from "@/components/reports/view-frame";
import type { Days } from "@/components/ui/calendar-days";
import { lazyDialog } from "@/components/ui/lazy";
import { Menu, MenuAction, MenuChoice, MenuChoices, MenuEnd, menuItem } from "@/components/ui/menu";
import { Popup } from "@/components/ui/popup";
import type { Choice } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

const CustomDays = lazyDialog(() => import("@/components/reports/custom-days"));

/** Patch that removes a custom comparison range. */
export const NO_CUSTOM_COMPARISON = { compare_from: null, compare_to: null };

const Tick = ({ shown }: { shown: boolean }) => (
  <Check className={`size-4 shrink-0 text-accent ${shown ? "" : "invisible"}`} />
);

interface PeriodProps {
  choices: Choice[];
  period: string;
  /** Label of the current range. */
  label: string;
  /** The current range, where the calendar opens. */
  from: string;
  to: string;
  /** First day of the site and current day. */
  since: string;
  today: string;
}

/** Menu of the named periods and the custom range. */
export function PeriodPicker({ choices, period, label, from, to, since, today }: PeriodProps) {
  const [choosing, setChoosing] = useState(false);
  return (
    <>
      <Popup name={t("Period")} icon={<Calendar className="size-4 text-muted" />} label={label} align="end">
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
                {t("Custom range…")}
                <Tick shown={period === "custom"} />
              </button>
            </div>
          </div>
        )}
      </Popup>
      {choosing && (
        <CustomDays of="view" chosen={{ from, to }} since={since} today={today} onClose={() => setChoosing(false)} />
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

const PickerChoices = ({ choices, current, patchOf }: ChoicesProps) => (
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
  /** The custom comparison range and its label. */
  custom: (Days & { label: string }) | null;
  /** The current range, where the calendar opens if there is no custom one. */
  from: string;
  to: string;
}

/** Menu of the comparisons. */
export function ComparePicker({ choices, current, custom, from, to, since, today }: CompareProps) {
  const [choosing, setChoosing] = useState(false);
  const label = custom?.label ?? choices.find((choice) => choice.value === current)?.label;
  const chosen = custom ?? { from, to };
  return (
    <>
      <Menu name={t("Compare with")} icon={<ChartLine className="size-4 text-muted" />} label={label} align="end">
        <PickerChoices
          choices={choices}
          current={custom ? "" : current}
          patchOf={(compare) => ({ ...NO_CUSTOM_COMPARISON, compare })}
        />
        <MenuEnd>
          <MenuAction onPress={() => setChoosing(true)}>
            {custom ? t("Change custom range…") : t("Custom range…")}
          </MenuAction>
        </MenuEnd>
      </Menu>
      {choosing && (
        <CustomDays of="comparison" chosen={chosen} since={since} today={today} onClose={() => setChoosing(false)} />
      )}
    </>
  );
}

/** Menu of the traffic filters. */
export function TrafficPicker({ choices, current }: ChoiceProps) {
  const label = choices.find((choice) => choice.value === current)?.label;
  return (
    <Menu name={t("Traffic")} icon={<Users className="size-4 text-muted" />} label={label}>
      <PickerChoices
        choices={choices}
        current={current}
        patchOf={(traffic) => ({ traffic: traffic === "human" ? null : traffic })}
      />
    </Menu>
  );
}

interface GoalProps {
  goals: string[];
  current: string | null;
  /** Parameters that a choice resets. */
  resets?: readonly string[];
}

/** Menu of the goals, of which the page shows the conversions of one. */
export function GoalPicker({ goals, current, resets = [] }: GoalProps) {
  const names = current === null || goals.includes(current) ? goals : [...goals, current];
  return (
    <Menu name={t("Goal")} icon={<Target className="size-4 text-muted" />} label={current ?? t("Goal")}>
      <PickerChoices
        choices={[{ value: "", label: t("No goal") }, ...names.map((name) => ({ value: name, label: name }))]}
        current={current ?? ""}
        patchOf={(goal) => ({ ...Object.fromEntries(resets.map((key) => [key, null])), goal: goal || null })}
      />
    </Menu>
  );
}
