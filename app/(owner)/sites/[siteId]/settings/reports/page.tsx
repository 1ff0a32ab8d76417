import type { Metadata } from "next";
import { namedFilters } from "@/app/_dashboard/named-filters";
import { principalOf, query } from "@/app/(owner)/access";
import { describeFilter } from "@/components/reports/filter-text";
import { filtersIn } from "@/components/reports/filters";
import { refusalInWords } from "@/components/ui/refusal-texts";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { When } from "@/components/ui/when";
import { manages } from "@/lib/contract/access";
import { seenInWords } from "@/lib/contract/seen-words";
import { queryAs } from "@/lib/gateway/execute";
import type { Answer } from "@/lib/operations/index";
import sitesAlertsList from "@/lib/operations/sites.alerts.list";
import sitesGoalsList from "@/lib/operations/sites.goals.list";
import sitesMembersList from "@/lib/operations/sites.members.list";
import sitesReportsGet from "@/lib/operations/sites.reports.get";
import sitesSegmentsList from "@/lib/operations/sites.segments.list";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { SettingsFrame } from "../frame";
import { AlertRules } from "./alert-rules";
import { MyReports } from "./my-reports";
import { Recipients } from "./recipients";

export const generateMetadata = (): Metadata => ({ title: t("Reports and alerts") });

export default async function ReportsPage(props: SettingsProps) {
  const { owner, site } = await openSettings("reports", props);
  const now = new Date();
  const siteId = site.site_id;
  const [reports, { rules, alerts }, { segments }, { members }, { goals }] = await Promise.all([
    query(sitesReportsGet, owner, { site_id: siteId }, now),
    query(sitesAlertsList, owner, { site_id: siteId }, now),
    query(sitesSegmentsList, owner, { site_id: siteId }, now),
    query(sitesMembersList, owner, { site_id: siteId }, now),
    query(sitesGoalsList, owner, { site_id: siteId }, now),
  ]);
  const context = { as: queryAs(principalOf(owner)), siteId, now };
  const describedRules = rules.map(async (rule) => {
    const filters = await namedFilters(context, filtersIn(rule.filters));
    return { ...rule, problem: rule.problem && refusalInWords(rule.problem), sentences: filters.map(describeFilter) };
  });
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone")];
  const shared = { siteId, siteZone: site.timezone, zones };
  const { recipients } = reports;
  const confirmed = recipients?.filter((one) => one.confirmed).map(({ email }) => email) ?? [];
  return (
    <SettingsFrame site={site} page="reports">
      <MyReports {...shared} reports={reports} email={owner.email} />
      {recipients && <Recipients {...shared} recipients={recipients} />}
      <AlertRules
        siteId={siteId}
        rules={await Promise.all(describedRules)}
        mayChange={manages(site.role)}
        segments={segments.map(({ id, name }) => ({ value: id, label: name }))}
        goals={goals.map(({ name }) => name)}
        currency={site.reporting_currency}
        emails={[...new Set([...members.map(({ email }) => email), ...confirmed])]}
      />
      <FiredAlerts alerts={alerts} now={now} />
    </SettingsFrame>
  );
}

/** The latest alerts of a site. */
const FiredAlerts = ({ alerts, now }: { alerts: Answer<"sites.alerts.list">["alerts"]; now: Date }) => (
  <Section title={t("Alerts")} about={t("The latest first. Kept for a year.")}>
    <Rows empty={t("No alerts yet.")}>
      {alerts.map(({ rule_id, name, start, seen, fired_at }) => (
        <li key={`${rule_id}-${start}`} className="py-2.5 text-sm">
          <p className="font-medium [overflow-wrap:anywhere]">{name}</p>
          <p className="[overflow-wrap:anywhere]">{seenInWords(seen)}</p>
          <p className="text-muted">
            <When at={new Date(fired_at)} now={now} />
          </p>
        </li>
      ))}
    </Rows>
  </Section>
);
