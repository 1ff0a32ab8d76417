"use client";

import { type FormEvent, useId } from "react";
import { type Patch, useGo, useViewHref, ViewLink } from "@/components/reports/view-frame";
import { Button } from "@/components/ui/button";
import { Calendar, Check, Compare, People } from "@/components/ui/icons";
import { Menu, menuItem } from "@/components/ui/menu";

export interface Choice {
  value: string;
  label: string;
}

interface ItemProps {
  choice: Choice;
  current: string;
  patch: Patch;
  close: () => void;
}

function Item({ choice, current, patch, close }: ItemProps) {
  const chosen = choice.value === current;
  return (
    <ViewLink patch={patch} onGo={close} aria-current={chosen} className={menuItem}>
      {choice.label}
      <Check className={`size-4 text-accent ${chosen ? "" : "invisible"}`} />
    </ViewLink>
  );
}

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
    <Menu name="Period" icon={<Calendar className="size-4 text-muted" />} label={label} align="end">
      {(close) => (
        <div className="sm:w-[21rem]">
          <div className="grid grid-flow-col grid-cols-2 grid-rows-7 gap-x-1">
            {choices.map((choice) => (
              <Item
                key={choice.value}
                choice={choice}
                current={period}
                patch={{ period: choice.value, from: null, to: null, interval: null }}
                close={close}
              />
            ))}
          </div>
          <CustomRange key={`${from}${to}`} from={from} to={to} close={close} />
        </div>
      )}
    </Menu>
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

/** What the numbers are compared with. */
export function ComparePicker({ choices, current }: ChoiceProps) {
  const label = choices.find((choice) => choice.value === current)?.label;
  return (
    <Menu name="Compare with" icon={<Compare className="size-4 text-muted" />} label={label} align="end">
      {(close) =>
        choices.map((choice) => (
          <Item key={choice.value} choice={choice} current={current} patch={{ compare: choice.value }} close={close} />
        ))
      }
    </Menu>
  );
}

/** Whose traffic is counted. */
export function TrafficPicker({ choices, current }: ChoiceProps) {
  const label = choices.find((choice) => choice.value === current)?.label;
  return (
    <Menu name="Traffic" icon={<People className="size-4 text-muted" />} label={label}>
      {(close) =>
        choices.map((choice) => (
          <Item
            key={choice.value}
            choice={choice}
            current={current}
            patch={{ traffic: choice.value === "human" ? null : choice.value }}
            close={close}
          />
        ))
      }
    </Menu>
  );
}
