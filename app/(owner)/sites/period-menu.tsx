"use client";

import { Calendar } from "lucide-react";
import Form from "next/form";
import Link from "next/link";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { menuItem } from "@/components/ui/menu";
import { Popup } from "@/components/ui/popup";
import { t } from "@/lib/texts/translate";

interface Props {
  label: string;
  choices: readonly { label: string; href: string; current: boolean }[];
  /** The rest of the address, which the form for days keeps. */
  kept: Readonly<Record<string, string>>;
  from: string;
  to: string;
  /** The page of the form. */
  action?: string;
}

/** Menu of the periods of the list, and two days for any other. */
export const PeriodMenu = ({ label, choices, kept, from, to, action = "/sites" }: Props) => (
  <Popup name={t("Period")} icon={<Calendar className="size-4 text-muted" />} label={label} align="end">
    {(close) => (
      <div className="w-64">
        {choices.map((choice) => (
          <Link
            key={choice.href}
            href={choice.href}
            prefetch={false}
            scroll={false}
            onClick={close}
            aria-current={choice.current ? "true" : undefined}
            className={menuItem}
          >
            {choice.label}
          </Link>
        ))}
        <Form action={action} onSubmit={close} className="mt-1.5 space-y-3 border-t border-line px-2.5 pt-3 pb-1.5">
          {Object.entries(kept).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Field label={t("From")} type="date" name="from" defaultValue={from} required />
          <Field label={t("To")} type="date" name="to" defaultValue={to} required />
          <Button type="submit" size="small" look="quiet" className="w-full">
            {t("Show these days")}
          </Button>
        </Form>
      </div>
    )}
  </Popup>
);
