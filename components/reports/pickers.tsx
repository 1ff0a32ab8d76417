"use client";

import { type FormEvent, useId } from "react";
import { type Patch, useGo, useViewHref, ViewLink } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Calendar, Check, Compare, People } from "@/components/ui/icons";
import { Menu, MenuChoice, MenuChoices, menuItem } from "@/components/ui/menu";
import { Popup } from "@/components/ui/popup";

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
}

/** Which days: the named periods, or from one day to another. */
export function PeriodPicker({ choices, period, label, from, to }: PeriodProps) {
  return (
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
          <CustomRange key={`${from}${to}`} from={from} to={to} close={close} />
        </div>
      )}
    </Popup>
  );
}

function CustomRange({ from, to, close }: { from: string; to: string; close: () => void }) {
  const href = useViewHref();
  const go = useGo();
  const id = useId();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    close();
    go(href({ period: null, interval: null, from: String(typed.get("from")), to: String(typed.get("to")) }));
  }

  const input = "h-9 w-full rounded-md border border-line-strong bg-surface px-2 text-sm tabular-nums";
  return (
    <form onSubmit={submit} className="mt-1.5 space-y-2 border-t border-line px-2.5 pt-2.5 pb-1">
      <div className="grid grid-cols-[3rem_1fr] items-center gap-2 text-sm">
        <label htmlFor={`${id}-from`}>From</label>
        <input id={`${id}-from`} type="date" name="from" defaultValue={from} required className={input} />
        <label htmlFor={`${id}-to`}>To</label>
        <input id={`${id}-to`} type="date" name="to" defaultValue={to} required className={input} />
      </div>
      <Button type="submit" look="quiet" size="small" className="w-full">
        Show these days
      </Button>
    </form>
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

/** What the numbers are compared with. */
export function ComparePicker({ choices, current }: ChoiceProps) {
  const label = choices.find((choice) => choice.value === current)?.label;
  return (
    <Menu name="Compare with" icon={<Compare className="size-4 text-muted" />} label={label} align="end">
      <Choices {...{ choices, current }} patchOf={(compare) => ({ compare })} />
    </Menu>
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
