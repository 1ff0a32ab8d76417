import { agents, type Rates } from "@/lib/publish/articles/agents";
import { api } from "@/lib/publish/articles/api";
import type { Article } from "@/lib/publish/articles/article";
import { connect } from "@/lib/publish/articles/connect";
import { dataProcessing } from "@/lib/publish/articles/data-processing";
import { eventsApi } from "@/lib/publish/articles/events-api";
import { exportAndImport } from "@/lib/publish/articles/export";
import { filters } from "@/lib/publish/articles/filters";
import { fromFathom } from "@/lib/publish/articles/from-fathom";
import { fromGa4 } from "@/lib/publish/articles/from-ga4";
import { fromMatomo } from "@/lib/publish/articles/from-matomo";
import { fromOthers } from "@/lib/publish/articles/from-others";
import { fromPlausible } from "@/lib/publish/articles/from-plausible";
import { fromSegment } from "@/lib/publish/articles/from-segment";
import { fromUmami } from "@/lib/publish/articles/from-umami";
import { funnels } from "@/lib/publish/articles/funnels";
import { goals } from "@/lib/publish/articles/goals";
import { identity } from "@/lib/publish/articles/identity";
import { measurementProtocol } from "@/lib/publish/articles/measurement-protocol";
import { metrics } from "@/lib/publish/articles/metrics";
import { ownDomain } from "@/lib/publish/articles/own-domain";
import { privacy } from "@/lib/publish/articles/privacy";
import { proxies } from "@/lib/publish/articles/proxies";
import { reports } from "@/lib/publish/articles/reports";
import { sharing } from "@/lib/publish/articles/sharing";
import { storedData } from "@/lib/publish/articles/stored-data";
import { tracker } from "@/lib/publish/articles/tracker";
import { webhooks } from "@/lib/publish/articles/webhooks";

/** Articles about one subject, under a heading of the docs' navigation. */
interface ArticleGroup {
  title: string;
  articles: Article[];
}

/** The articles by subject, in the order of the docs' navigation: what owners ask first, what agents and programs need last. */
export const articleGroups = (base: string, rates?: Rates): ArticleGroup[] => [
  { title: "For owners", articles: [reports, goals, funnels, filters, sharing].map((article) => article(base)) },
  { title: "Privacy", articles: [privacy, storedData, dataProcessing].map((article) => article(base)) },
  {
    title: "Moving",
    articles: [fromPlausible, fromUmami, fromGa4, fromMatomo, fromFathom, fromOthers, fromSegment, exportAndImport].map(
      (article) => article(base),
    ),
  },
  {
    title: "Collecting data",
    articles: [tracker, eventsApi, measurementProtocol, ownDomain, proxies].map((article) => article(base)),
  },
  {
    title: "Agents and API",
    articles: [agents(base, rates), ...[connect, identity, metrics, api, webhooks].map((article) => article(base))],
  },
];

/** Every article, in the order of the docs' navigation and of the texts for agents. */
export const allArticles = (base: string, rates?: Rates): Article[] =>
  articleGroups(base, rates).flatMap(({ articles }) => articles);
