"use client";

import { useState } from "react";
import { useSavedList } from "@/components/actions/saved-list";
import { DeleteSaved } from "@/components/reports/delete-saved";
import { SavedRow } from "@/components/reports/saved-row";
import { Button } from "@/components/ui/button";
import { RowButton, RowLink } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { formatMoney } from "@/lib/contract/numbers";
import { legiblePath } from "@/lib/platform/legible";
import { msg, t } from "@/lib/texts/translate";
import { GoalDialog, type GoalDraft } from "./goal-dialog";

export interface Way {
  kind: "event" | "page";
  pattern: string;
}

interface PropertyCondition {
  property: string;
  operator: PropertyOperator;
  values: string[];
}
export type PropertyOperator = "is" | "is_not" | "contains" | "not_contains" | "starts_with";

/** How a property is compared, as in "plan is pro". */
export const OPERATOR_WORDS: Record<PropertyOperator, string> = {
  is: msg("is"),
  is_not: msg("is not"),
  contains: msg("contains"),
  not_contains: msg("does not contain"),
  starts_with: msg("starts with"),
};

/** What reaching a goal is worth, in the currency of the site. */
export interface GoalValue {
  of: "amount" | "property" | "revenue";
  amount: string | null;
  property: string | null;
}

export interface Goal {
  id: number;
  name: string;
  kind: "event" | "page";
  pattern: string;
  /** Other pages and events that reach it too. */
  also: Way[];
  properties: PropertyCondition[];
  value: GoalValue | null;
  maker: string | null;
  /** URL of the dashboard filtered to visitors who reached it. */
  href: string;
}

const NEW_GOAL: GoalDraft = { id: null, name: "", kind: "event", pattern: "", also: [], properties: [], value: null };

interface Props {
  siteId: number;
  goals: Goal[];
  /** The reporting currency of the site. */
  currency: string;
  /** Whether the reader can change them. */
  manages: boolean;
}

const valueText = ({ of, amount, property }: GoalValue, currency: string): string => {
  if (of === "amount") return t("worth {amount} each", { amount: formatMoney({ amount: amount ?? "0", currency }) });
  return of === "revenue"
    ? t("worth the revenue of the event")
    : t("worth its property {property}", { property: property ?? "" });
};

/** Goals of a site. */
export function Goals({ siteId, goals, currency, manages }: Props) {
  const { shown, editing, open, remove } = useSavedList({
    siteId,
    kind: "goals",
    rows: goals,
    fields: ["name", "reached_by.pattern", "value.amount", "value.property"],
    inputOf: ({ id, name, kind, pattern, also, properties, value }: GoalDraft) => ({
      site_id: siteId,
      id,
      name,
      reached_by: { kind, pattern },
      also_reached_by: also,
      properties,
      value,
    }),
  });
  const [deleting, setDeleting] = useState<Goal>();

  return (
    <Section
      title={t("Goals")}
      about={t("What you want visitors to do: send an event or see a page.")}
      aside={
        manages && (
          <Button size="small" aria-haspopup="dialog" onClick={() => open(NEW_GOAL)}>
            {t("New goal")}
          </Button>
        )
      }
    >
      <Rows
        empty={t(
          "No goals yet. With a goal you can filter by visitors who reached it, and see conversions of campaigns, searches and experiments.",
        )}
      >
        {shown.map((goal) => (
          <SavedRow
            key={goal.id}
            name={goal.name}
            about={
              <>
                {[goal, ...goal.also].map((way, index) => (
                  <span key={`${way.kind} ${way.pattern}`}>
                    {index > 0 && ` ${t("or")} `}
                    {way.kind === "page" ? t("Page") : t("Event")}{" "}
                    <bdi className="font-mono break-all">{legiblePath(way.pattern)}</bdi>
                  </span>
                ))}
                {goal.properties.map(({ property, operator, values }, index) => (
                  <span key={`${property} ${operator} ${values}`}>
                    {index === 0 ? `, ${t("where")} ` : ` ${t("and")} `}
                    <bdi>{property}</bdi> {t(OPERATOR_WORDS[operator])} <bdi>{values.join(` ${t("or")} `)}</bdi>
                  </span>
                ))}
                {goal.value && <span>, {valueText(goal.value, currency)}</span>}
              </>
            }
            maker={goal.maker}
          >
            <RowLink action={t("Show")} name={t("visitors who reached {goal}", { goal: goal.name })} href={goal.href} />
            {manages && (
              <>
                <RowButton action={t("Edit")} name={goal.name} onClick={() => open(goal)} />
                <RowButton action={t("Delete")} name={goal.name} onClick={() => setDeleting(goal)} />
              </>
            )}
          </SavedRow>
        ))}
      </Rows>
      {editing && <GoalDialog siteId={siteId} currency={currency} {...editing} />}
      {deleting && (
        <DeleteSaved saved={deleting} onDelete={() => remove(deleting)} onClose={() => setDeleting(undefined)}>
          {t("No events are deleted. Links that filter by this goal will look for an event of the same name.")}
        </DeleteSaved>
      )}
    </Section>
  );
}
