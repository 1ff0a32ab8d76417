"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import type { ActionInput } from "@/components/actions/typed";
import { type Filter, sentOf } from "@/components/reports/filters";
import { REVENUE_HINT } from "@/components/reports/revenue-hint";
import { SentenceList } from "@/components/reports/sentence-list";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyLine } from "@/components/ui/copy-line";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialog } from "@/components/ui/form-dialog";
import { rich } from "@/components/ui/rich";
import { TextLink } from "@/components/ui/text-link";
import { t } from "@/lib/texts/translate";

/** The part of a site that a link to a view shows, as `sites.links.create` takes it. */
export type SharedPart = Pick<
  ActionInput<"sites.links.create">,
  "site_id" | "dashboard" | "panels" | "reports" | "period" | "from" | "to" | "segment"
>;

export interface ShareProps {
  /** The view without its filters. */
  part: SharedPart;
  /** What the address of the view has besides, such as the classes of traffic. */
  query: string;
  filters: Filter[];
  /** What readers see, one sentence each. */
  sentences: string[];
  /** What of this page they do not see, one sentence each. */
  hidden: string[];
}

const DAYS = 90;

/**
 * Dialog for a private link to the view. Filters become a segment that the link is limited to, so that its readers cannot
 * remove them.
 */
export default function ShareDialog({
  part,
  query,
  filters,
  sentences,
  hidden,
  onClose,
}: ShareProps & { onClose(): void }) {
  const segment = useAction("sites.segments.save", { fields: ["name"] });
  const link = useAction("sites.links.create", { fields: ["name"] });
  /** Kept, so that a second try of the link does not save a second segment. */
  const [limitedTo, setLimitedTo] = useState<string>();
  const [made, setMade] = useState<{ name: string; url: string }>();
  const busy = segment.busy || link.busy;

  async function saveSegment(name: string): Promise<string | undefined> {
    const saved = await segment.perform({ site_id: part.site_id, name, filters: sentOf(filters) ?? {} });
    setLimitedTo(saved?.id);
    return saved?.id;
  }

  async function submit(typed: FormData) {
    const name = String(typed.get("name"));
    const limits = { ...part };
    if (filters.length > 0) {
      limits.segment = limitedTo ?? (await saveSegment(name));
      if (!limits.segment) return;
    }
    const revenue = typed.has("revenue");
    const created = await link.perform({ ...limits, name, revenue, expires_in_days: DAYS });
    if (created?.url) setMade({ name, url: `${created.url}${query}` });
  }

  if (made) {
    return (
      <Dialog title={t("Link for {name}", { name: made.name })} problems={{ fields: {} }} onCancel={onClose}>
        <div className="space-y-4">
          <CopyLine label={t("Send this address")} text={made.url} what={t("the link")} />
          <p className="text-sm text-muted">
            {rich("Who has it sees this without an account. You can revoke it in the <link>sharing settings</link>.", {
              link: (text) => <TextLink href={`/sites/${part.site_id}/settings/sharing`}>{text}</TextLink>,
            })}
          </p>
          <div className="flex justify-end">
            <Button onClick={onClose}>{t("Done")}</Button>
          </div>
        </div>
      </Dialog>
    );
  }
  const message = segment.problems.message ?? link.problems.message;
  const name = segment.problems.fields.name ?? link.problems.fields.name;
  return (
    <FormDialog
      title={t("Share this view")}
      about={
        <>
          <p>
            {t(
              "Makes a secret address for people without an account. It works for {days} days and shows nothing else:",
              { days: DAYS },
            )}
          </p>
          <SentenceList sentences={sentences} />
          {hidden.map((sentence) => (
            <p key={sentence} className="break-words">
              {sentence}
            </p>
          ))}
        </>
      }
      problems={{ fields: name ? { name } : {}, ...(message && { message }) }}
      busy={busy}
      action={t("Create link")}
      busyAction={t("Creating…")}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Field
        label={t("For")}
        name="name"
        autoComplete="off"
        maxLength={100}
        placeholder={t("Marketing")}
        hint={t("Only members of the site see it.")}
        problem={name}
      />
      {part.dashboard && (
        <div className="rounded-lg border border-line">
          <Checkbox name="revenue" label={t("Show revenue")} hint={t(REVENUE_HINT)} />
        </div>
      )}
    </FormDialog>
  );
}
