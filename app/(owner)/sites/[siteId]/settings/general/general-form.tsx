"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { type Choice, Select } from "@/components/ui/select";
import { TextLink } from "@/components/ui/text-link";
import { TimezoneField } from "@/components/ui/timezone-field";
import type { SiteShape } from "@/lib/contract/fields";
import { PAGE_QUERY } from "@/lib/contract/site-settings";
import { t } from "@/lib/texts/translate";
import { SettingControls, settingsFrom } from "../setting-controls";
import { PublicSwitch } from "./public-switch";

interface Props {
  site: SiteShape;
  /** The primary domain for people. */
  domain: string;
  zones: string[];
  currencies: Choice[];
}

/** Form for name, timezone, reporting currency, pages and visibility of a site. */
export function GeneralForm({ site, domain, zones, currencies }: Props) {
  const { perform, busy, problems } = useAction("sites.settings.update", {
    fields: ["name", "timezone", "page_query", "page_query.*"],
  });
  const [zone, setZone] = useState(site.timezone);
  const router = useRouter();

  async function submit(formData: FormData) {
    const after = await perform({
      site_id: site.site_id,
      name: `${formData.get("name")}`,
      timezone: `${formData.get("timezone")}`,
      reporting_currency: `${formData.get("reporting_currency")}`,
      ...settingsFrom("dashboard", formData),
      ...settingsFrom("general", formData),
      page_query: `${formData.get("page_query")}`.split(/[\s,]+/).filter(Boolean),
    });
    if (!after) return;
    setZone(after.timezone);
    router.refresh();
  }

  const { fields } = problems;
  const unusable = Object.entries(fields).find(([path]) => path.startsWith("page_query."))?.[1];
  return (
    <Section title={t("General")}>
      <Form problem={problems.message} onSubmit={submit} className="space-y-5">
        <Field
          label={t("Name")}
          name="name"
          defaultValue={site.name ?? ""}
          placeholder={domain}
          autoComplete="off"
          optional
          hint={t("Shown instead of the domain.")}
          problem={fields.name}
        />
        <TimezoneField zones={zones} value={zone} onChange={setZone} problem={fields.timezone} />
        {zone !== site.timezone && isZone(zone) && <TimezoneWarning zone={zone} />}
        <div className="space-y-1.5">
          <Select
            label={t("Reporting currency")}
            name="reporting_currency"
            choices={currencies}
            defaultValue={site.reporting_currency}
          />
          <p className="text-sm text-muted">
            {rich(
              "Revenue is shown in this currency. Other amounts are converted at the rate of their day. Your own <link>exchange rates</link> take precedence.",
              { link: (text) => <TextLink href={`/sites/${site.site_id}/settings/rates`}>{text}</TextLink> },
            )}
          </p>
        </div>
        <SettingControls group="general" values={site} />
        <PageQuery names={site.page_query} problem={fields.page_query ?? unusable} />
        <PublicSwitch site={site} />
        <Button type="submit" disabled={busy}>
          {busy ? t("Saving…") : t("Save")}
        </Button>
      </Form>
    </Section>
  );
}

/** Whether the text is a valid timezone name. */
function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

/** Warns that a new timezone changes the numbers of past days. */
const TimezoneWarning = ({ zone }: { zone: string }) => (
  <Notice tone="warn">
    {t(
      "The days of all reports will begin at midnight in {zone}, also in the past. Events near midnight move to another day, so the numbers of single days change. No data is lost.",
      { zone },
    )}
  </Notice>
);

/** The parameters of a query that make a page. */
const PageQuery = ({ names, problem }: { names: string[]; problem: string | undefined }) => (
  <Field
    label={t(PAGE_QUERY)}
    name="page_query"
    defaultValue={names.join(", ")}
    placeholder="p, page_id"
    autoComplete="off"
    spellCheck={false}
    optional
    hint={t(
      "Only if your pages differ by their query, such as /?p=12 and /?p=13 in WordPress with plain permalinks: p, page_id. From now on, these are a part of the path; all others are dropped. For addresses such as /index.php?/archives/12, write /.",
    )}
    problem={problem}
  />
);
