import type { z } from "zod";
import type { ReportKey } from "@/components/reports/pages/catalogue";
import { campaignSheets } from "@/components/reports/pages/sheets/campaigns";
import { commerceSheets } from "@/components/reports/pages/sheets/commerce";
import { eventSheets } from "@/components/reports/pages/sheets/events";
import { experimentSheets } from "@/components/reports/pages/sheets/experiments";
import { exploreSheets } from "@/components/reports/pages/sheets/explore";
import { funnelSheets, funnelsSheets } from "@/components/reports/pages/sheets/funnels";
import { heatmapSheets } from "@/components/reports/pages/sheets/heatmap";
import { journeySheets } from "@/components/reports/pages/sheets/journeys";
import { realtimeSheets } from "@/components/reports/pages/sheets/realtime";
import { retentionSheets } from "@/components/reports/pages/sheets/retention";
import { searchSheets } from "@/components/reports/pages/sheets/search";
import { seoSheets } from "@/components/reports/pages/sheets/seo";
import { vitalSheets } from "@/components/reports/pages/sheets/vitals";
import type { Sheet } from "@/components/reports/sheet";
import { NOT_COMPARED, reportInput, type SearchParams, type View } from "@/components/reports/view";
import { decodeQuery } from "@/lib/api/decode";
import type { AnyOperation, Operation } from "@/lib/contract/define";
import { reportFields } from "@/lib/contract/fields";
import analyticsCampaigns from "@/lib/operations/analytics.campaigns";
import analyticsCommerce from "@/lib/operations/analytics.commerce";
import analyticsEvents from "@/lib/operations/analytics.events";
import analyticsExperiments from "@/lib/operations/analytics.experiments";
import analyticsExplore from "@/lib/operations/analytics.explore";
import analyticsFunnels from "@/lib/operations/analytics.funnels";
import analyticsFunnelsAdvanced from "@/lib/operations/analytics.funnels.advanced";
import analyticsHeatmap from "@/lib/operations/analytics.heatmap";
import analyticsJourneys from "@/lib/operations/analytics.journeys";
import analyticsRealtime from "@/lib/operations/analytics.realtime";
import analyticsRetention from "@/lib/operations/analytics.retention";
import analyticsSeo from "@/lib/operations/analytics.seo";
import analyticsSiteSearch from "@/lib/operations/analytics.site_search";
import analyticsVitals from "@/lib/operations/analytics.vitals";

/** Definition of a report, shared by its page and its downloads. */
interface Definition<Input extends z.ZodObject, Output extends z.ZodType> {
  /** The heading of the page. */
  title: string;
  op: Operation<Input, Output>;
  /** The response as tables, for the page and its CSV. */
  sheets(answer: z.output<Output>): Sheet[];
  /** Not compared with another range. */
  alone?: true;
  /** Always about the present, whatever range is selected. */
  now?: true;
}

const define = <Input extends z.ZodObject, Output extends z.ZodType>(definition: Definition<Input, Output>) =>
  definition;

const DEFINITIONS = {
  realtime: define({ title: "Realtime", op: analyticsRealtime, sheets: realtimeSheets, alone: true, now: true }),
  events: define({ title: "Events", op: analyticsEvents, sheets: eventSheets }),
  campaigns: define({ title: "Campaigns and channels", op: analyticsCampaigns, sheets: campaignSheets }),
  commerce: define({ title: "Commerce", op: analyticsCommerce, sheets: commerceSheets }),
  experiments: define({ title: "Experiments", op: analyticsExperiments, sheets: experimentSheets, alone: true }),
  search: define({ title: "Site search", op: analyticsSiteSearch, sheets: searchSheets }),
  funnels: define({ title: "Funnels", op: analyticsFunnels, sheets: funnelsSheets }),
  funnel: define({ title: "A funnel in depth", op: analyticsFunnelsAdvanced, sheets: funnelSheets }),
  journeys: define({ title: "Journeys", op: analyticsJourneys, sheets: journeySheets, alone: true }),
  retention: define({ title: "Retention", op: analyticsRetention, sheets: retentionSheets, alone: true }),
  heatmap: define({ title: "Heatmap", op: analyticsHeatmap, sheets: heatmapSheets, alone: true }),
  vitals: define({ title: "Web vitals", op: analyticsVitals, sheets: vitalSheets }),
  seo: define({ title: "Search engines and AI assistants", op: analyticsSeo, sheets: seoSheets }),
  explore: define({ title: "Explore", op: analyticsExplore, sheets: exploreSheets }),
} satisfies Record<ReportKey | "funnel", unknown>;

export type DefinedKey = keyof typeof DEFINITIONS;
export type AnswerOf<Key extends DefinedKey> = Parameters<(typeof DEFINITIONS)[Key]["sheets"]>[0];

/** Definition of any report. */
export type AnyDefinition = Omit<Definition<z.ZodObject, z.ZodType>, "op" | "sheets"> & {
  op: AnyOperation;
  sheets(answer: unknown): Sheet[];
};

export const definitionOf = (key: string): AnyDefinition | null =>
  Object.hasOwn(DEFINITIONS, key) ? (DEFINITIONS[key as DefinedKey] as unknown as AnyDefinition) : null;

/** Input of the report's operation from a URL: the view, and the operation's own parameters. */
export function inputOf({ op, alone }: AnyDefinition, siteId: number, view: View, params: SearchParams) {
  const ownFields = Object.keys(op.input.shape).filter((key) => !(key in reportFields));
  const pairs = ownFields.flatMap((key) => (typeof params[key] === "string" ? [[key, params[key]]] : []));
  return {
    ...reportInput(siteId, view),
    ...(alone ? NOT_COMPARED : {}),
    ...decodeQuery(op, new URLSearchParams(pairs)),
  };
}
