"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { ConfirmAction } from "@/components/actions/confirm-action";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RowButton } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import type { Choice } from "@/components/ui/select";
import { formatExactly, formatMeasure } from "@/lib/contract/numbers";
import { outcomeInWords } from "@/lib/contract/outcome-words";
import { MEASURES } from "@/lib/contract/vocabulary";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";
import { AlertDialog } from "./alert-dialog";
import { CHANNEL_NAMES } from "./channel-names";

export type Rule = Answer<"sites.alerts.list">["rules"][number] & {
  /** Its filters in the reader's words, as its problem is. */
  sentences: string[];
};

interface Props {
  siteId: number;
  rules: Rule[];
  mayChange: boolean;
  segments: Choice[];
  /** Addresses that may get alerts. */
  emails: string[];
  /** Names of the site's goals. */
  goals: string[];
  /** Of the site's money. */
  currency: string;
}

/** The alert rules of a site. */
export function AlertRules({ siteId, rules, mayChange, segments, emails, goals, currency }: Props) {
  const [editing, setEditing] = useState<Rule | "new">();
  const [deleting, setDeleting] = useState<Rule>();
  const router = useRouter();

  function close() {
    setEditing(undefined);
    setDeleting(undefined);
    router.refresh();
  }

  return (
    <Section
      title={t("Alert rules")}
      about={t(
        "A metric with your filters, judged every five minutes. A low value waits until a later event shows that the data is complete.",
      )}
    >
      <div className="space-y-4">
        <Rows empty={t("No alert rules.")}>
          {rules.map((rule) => (
            <li key={rule.id} className="space-y-2 py-2.5 text-sm">
              <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
                <div className="min-w-0 flex-1 basis-56">
                  <p className="flex flex-wrap items-center gap-x-2 font-medium">
                    <span className="min-w-0 [overflow-wrap:anywhere]">{rule.name}</span>
                    {rule.problem && <Badge tone="bad">{t("Cannot be judged")}</Badge>}
                  </p>
                  <p className="text-muted [overflow-wrap:anywhere]">{summaryOf(rule, segments, currency)}</p>
                  <p className="text-muted [overflow-wrap:anywhere]">{channelsOf(rule)}</p>
                  {rule.problem && <p className="text-bad [overflow-wrap:anywhere]">{rule.problem}</p>}
                </div>
                {mayChange && (
                  <div className="flex items-center gap-2">
                    <RowButton
                      action={t("{action, select, change {Change} other {Delete}}", { action: "change" })}
                      name={rule.name}
                      onClick={() => setEditing(rule)}
                    />
                    <RowButton action={t("Delete")} name={rule.name} onClick={() => setDeleting(rule)} />
                  </div>
                )}
              </div>
              {mayChange && rule.channels.length > 0 && <TestAlert siteId={siteId} rule={rule} />}
            </li>
          ))}
        </Rows>
        {mayChange ? (
          <div className="pt-2">
            <Button look="quiet" size="small" onClick={() => setEditing("new")}>
              {t("Add a rule")}
            </Button>
          </div>
        ) : (
          <p className="pt-2 text-sm text-muted">{t("Only managers and owners can change rules.")}</p>
        )}
      </div>
      {editing && (
        <AlertDialog
          siteId={siteId}
          rule={editing === "new" ? null : editing}
          segments={segments}
          emails={emails}
          goals={goals}
          currency={currency}
          onDone={close}
          onCancel={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <ConfirmAction
          operation="sites.alerts.delete"
          input={{ site_id: siteId, id: deleting.id }}
          title={t("Delete {name}?", { name: deleting.name })}
          action={t("Delete")}
          onDone={close}
          onCancel={() => setDeleting(undefined)}
        >
          <p>{t("Its alerts are deleted too.")}</p>
        </ConfirmAction>
      )}
    </Section>
  );
}

function summaryOf(
  { metric, goal, condition, threshold, span, sentences, segment }: Rule,
  segments: Choice[],
  currency: string,
): string {
  const limit =
    threshold === null
      ? ""
      : MEASURES[metric].unit === "count"
        ? formatExactly(threshold)
        : formatMeasure(metric, threshold, currency);
  const label = t(MEASURES[metric].label);
  const measured = goal ? t("{metric} of {goal}", { metric: label, goal }) : label;
  const where = [
    ...sentences,
    ...(segment ? [segmentWords(segments.find(({ value }) => value === segment))] : []),
  ].join(", ");
  const rule = t(
    "{metric} {condition, select, above {above {limit}} below {below {limit}} other {unusual}} in {span, select, day {a day} other {an hour}}",
    { metric: measured, condition, limit, span },
  );
  return where ? t("{rule}, with {filters}", { rule, filters: where }) : rule;
}

const segmentWords = (segment: Choice | undefined): string =>
  segment ? t("segment {name}", { name: segment.label }) : t("segment that was deleted");

const channelsOf = ({ channels }: Rule): string =>
  channels.length === 0
    ? t("Nobody is told; alerts are listed below.")
    : t("To {channels}", {
        channels: channels
          .map(({ kind, email, url }) => email ?? `${t(CHANNEL_NAMES[kind])}${url ? ` (${url})` : ""}`)
          .join(", "),
      });

/** Sends a test to all channels and shows what each answered. */
function TestAlert({ siteId, rule }: { siteId: number; rule: Rule }) {
  const { perform, busy, problems } = useAction("sites.alerts.send_test");
  const [outcomes, setOutcomes] = useState<string>();

  async function send() {
    setOutcomes(undefined);
    const answer = await perform({ site_id: siteId, id: rule.id });
    if (answer)
      setOutcomes(
        answer.channels.map(({ kind, outcome }) => `${t(CHANNEL_NAMES[kind])}: ${outcomeInWords(outcome)}`).join("; "),
      );
  }

  return (
    <span className="flex flex-wrap items-center gap-2">
      <RowButton
        action={busy ? t("Sending…") : t("Send a test")}
        name={t("of {name}", { name: rule.name })}
        disabled={busy}
        onClick={send}
      />
      <span role="status" className="text-sm text-muted">
        {problems.message ?? outcomes}
      </span>
    </span>
  );
}
