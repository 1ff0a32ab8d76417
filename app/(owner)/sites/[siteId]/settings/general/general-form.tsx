"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { type Choice, Select } from "@/components/ui/select";
import { TimezoneField } from "@/components/ui/timezone-field";
import type { SiteShape } from "@/lib/contract/fields";
import { PublicSwitch } from "./public-switch";

interface Props {
  site: SiteShape;
  /** Where the public dashboard stands. */
  shareUrl: string;
  zones: string[];
  currencies: Choice[];
}

/** What a site is called, when its days begin, in what its money is told and who may look. */
export function GeneralForm({ site, shareUrl, zones, currencies }: Props) {
  const { perform, busy, problems } = useAction("sites.settings.update");
  const [zone, setZone] = useState(site.timezone);
  const router = useRouter();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const after = await perform({
      site_id: site.site_id,
      name: `${typed.get("name")}`,
      timezone: `${typed.get("timezone")}`,
      reporting_currency: `${typed.get("reporting_currency")}`,
      public: typed.has("public"),
    });
    if (!after) return;
    setZone(after.timezone);
    router.refresh();
  }

  const { fields } = problems;
  return (
    <Section title="General">
      <form onSubmit={submit} noValidate className="space-y-5">
        {problems.message && <Notice>{problems.message}</Notice>}
        <Field
          label="Name"
          name="name"
          defaultValue={site.name ?? ""}
          placeholder={site.domain}
          autoComplete="off"
          optional
          hint="What you call it. The domain, if empty."
          problem={fields.name}
        />
        <TimezoneField zones={zones} value={zone} onChange={setZone} problem={fields.timezone} />
        {zone !== site.timezone && isZone(zone) && <MovingDays zone={zone} />}
        <div className="space-y-1.5">
          <Select
            label="Reporting currency"
            name="reporting_currency"
            choices={currencies}
            defaultValue={site.reporting_currency}
          />
          <p className="text-sm text-muted">
            Revenue is shown in it. Amounts in others are converted at the rate of their day;{" "}
            <Link href={`/sites/${site.site_id}/settings/rates`} prefetch={false} className="text-accent underline">
              exchange rates
            </Link>{" "}
            of your own go first.
          </p>
        </div>
        <PublicSwitch isPublic={site.public} url={shareUrl} />
        <Button type="submit" disabled={busy}>
          {busy ? "Saving…" : "Save"}
        </Button>
      </form>
    </Section>
  );
}

/** Whether what was typed so far is a whole name. */
function isZone(typed: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: typed }) !== null;
  } catch {
    return false;
  }
}

/** What a change of the timezone does to numbers that people have seen already. */
const MovingDays = ({ zone }: { zone: string }) => (
  <Notice tone="warn">
    The days of all reports will begin at midnight of {zone}, those of the past too: what was counted late in one day
    may move into the next, and the numbers of single days change. Nothing is lost.
  </Notice>
);
