import Link from "next/link";
import type { ReactNode } from "react";
import { settle } from "@/app/_dashboard/queries";
import { PANEL_NAMES, type ReportPanel } from "@/components/reports/dashboard-panels";
import type { ReportKey } from "@/components/reports/pages/catalogue";
import { RefusedNotice } from "@/components/reports/refused-notice";
import { ReportAt } from "@/components/reports/report-path";
import type { ReportProps } from "@/components/reports/sheet";
import { addressOf, type View } from "@/components/reports/view";
import type { Owner } from "@/lib/contract/define";
import type { SiteShape } from "@/lib/contract/fields";
import { execute } from "@/lib/gateway/execute";
import { env } from "@/lib/platform/env";
import { principalOf } from "../../access";
import { type AnswerOf, type AnyDefinition, definitionOf, inputOf } from "./reports/definitions";

interface Shown<Answer> extends ReportProps<Answer> {
  site: SiteShape;
  path: string;
}

/** Renders each report on a dashboard. Imported lazily, so that only the reports in use load their scripts. */
const BODIES: { [Panel in ReportPanel]: (shown: Shown<AnswerOf<ReportOf<Panel>>>) => Promise<ReactNode> } = {
  realtime: async ({ answer }) => {
    const { RealtimeReport } = await import("@/components/reports/pages/realtime");
    return <RealtimeReport key={answer.cursor} first={answer} />;
  },
  events: async ({ answer, sheets }) => {
    const { EventsReport } = await import("@/components/reports/pages/events");
    return <EventsReport {...{ answer, sheets }} />;
  },
  campaigns: async ({ answer, sheets, site }) => {
    const { CampaignsReport } = await import("@/components/reports/pages/campaigns");
    return <CampaignsReport {...{ answer, sheets }} domain={site.domain} />;
  },
  commerce: async ({ answer, sheets, site }) => {
    const { CommerceReport } = await import("@/components/reports/pages/commerce");
    return <CommerceReport {...{ answer, sheets }} currency={site.reporting_currency} />;
  },
  experiments: async ({ answer, sheets }) => {
    const { ExperimentsReport } = await import("@/components/reports/pages/experiments");
    return <ExperimentsReport {...{ answer, sheets }} saving={null} />;
  },
  site_search: async ({ answer, sheets }) => {
    const { SearchReport } = await import("@/components/reports/pages/search");
    return <SearchReport {...{ answer, sheets }} />;
  },
  funnels: async ({ answer, sheets, path }) => {
    const { FunnelsReport } = await import("@/components/reports/pages/funnels");
    const details = (funnel: string) => addressOf(path.replace(/funnels$/, "funnel"), { funnel });
    return <FunnelsReport {...{ answer, sheets, details }} manages={false} />;
  },
  journeys: async ({ answer, sheets, site }) => {
    const { JourneysReport } = await import("@/components/reports/pages/journeys");
    return <JourneysReport {...{ answer, sheets }} siteId={site.site_id} />;
  },
  retention: async ({ answer, sheets }) => {
    const { RetentionReport } = await import("@/components/reports/pages/retention");
    return <RetentionReport {...{ answer, sheets }} />;
  },
  heatmap: async ({ answer, sheets }) => {
    const { HeatmapReport } = await import("@/components/reports/pages/heatmap");
    return <HeatmapReport {...{ answer, sheets }} />;
  },
  vitals: async ({ answer, sheets, site }) => {
    const { VitalsReport } = await import("@/components/reports/pages/vitals");
    return <VitalsReport {...{ answer, sheets }} domain={site.domain} baseUrl={env().BASE_URL} />;
  },
  seo: async ({ answer, sheets }) => {
    const { SeoReport } = await import("@/components/reports/pages/seo");
    return <SeoReport {...{ answer, sheets }} />;
  },
};

type ReportOf<Panel extends ReportPanel> = Panel extends "site_search" ? "search" : Panel & ReportKey;

/** Runs a task when the concurrency limit allows it. */
export type Schedule = <T>(task: () => Promise<T>) => Promise<T>;

interface Props {
  panel: ReportPanel;
  owner: Owner;
  site: SiteShape;
  view: View;
  now: Date;
  schedule: Schedule;
}

/** A whole report as a dashboard panel. Its links and downloads are those of the report's own page. */
export async function BoardReport({ panel, owner, site, view, now, schedule }: Props) {
  const key: ReportKey = panel === "site_search" ? "search" : panel;
  const definition = definitionOf(key) as AnyDefinition;
  const input = inputOf(definition, site.site_id, view, {});
  const result = await schedule(() => settle(execute(definition.op, { principal: principalOf(owner), input, now })));
  const path = `/sites/${site.site_id}/reports/${key}`;
  const body = BODIES[panel] as (shown: Shown<unknown>) => Promise<ReactNode>;
  const tables = (answer: unknown) => new Map(definition.sheets(answer).map((sheet) => [sheet.key, sheet]));
  return (
    <section aria-label={PANEL_NAMES[panel]} className="space-y-4">
      <h2 className="px-1 pt-2 text-lg font-semibold">
        <Link href={path} prefetch={false} className="hover:underline">
          {PANEL_NAMES[panel]}
        </Link>
      </h2>
      <ReportAt path={path}>
        {result.ok ? (
          await body({ answer: result.answer, sheets: tables(result.answer), site, path })
        ) : (
          <RefusedNotice {...result} />
        )}
      </ReportAt>
    </section>
  );
}
