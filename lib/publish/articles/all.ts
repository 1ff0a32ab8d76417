import { agentsArticle, type Rates } from "@/lib/publish/articles/agents";
import { apiArticle } from "@/lib/publish/articles/api";
import type { Article } from "@/lib/publish/articles/article";
import { connectArticle } from "@/lib/publish/articles/connect";
import { dataProcessingArticle } from "@/lib/publish/articles/data-processing";
import { eventsApiArticle } from "@/lib/publish/articles/events-api";
import { exportAndImportArticle } from "@/lib/publish/articles/export";
import { filtersArticle } from "@/lib/publish/articles/filters";
import { fromFathomArticle } from "@/lib/publish/articles/from-fathom";
import { fromGa4Article } from "@/lib/publish/articles/from-ga4";
import { fromMatomoArticle } from "@/lib/publish/articles/from-matomo";
import { fromOthersArticle } from "@/lib/publish/articles/from-others";
import { fromPlausibleArticle } from "@/lib/publish/articles/from-plausible";
import { fromSegmentArticle } from "@/lib/publish/articles/from-segment";
import { fromUmamiArticle } from "@/lib/publish/articles/from-umami";
import { funnelsArticle } from "@/lib/publish/articles/funnels";
import { goalsArticle } from "@/lib/publish/articles/goals";
import { identityArticle } from "@/lib/publish/articles/identity";
import { measurementProtocolArticle } from "@/lib/publish/articles/measurement-protocol";
import { metricsArticle } from "@/lib/publish/articles/metrics";
import { ownDomainArticle } from "@/lib/publish/articles/own-domain";
import { privacyArticle } from "@/lib/publish/articles/privacy";
import { proxiesArticle } from "@/lib/publish/articles/proxies";
import { reportsArticle } from "@/lib/publish/articles/reports";
import { sharingArticle } from "@/lib/publish/articles/sharing";
import { storedDataArticle } from "@/lib/publish/articles/stored-data";
import { trackerArticle } from "@/lib/publish/articles/tracker";
import { webhooksArticle } from "@/lib/publish/articles/webhooks";

/** Articles about one subject, under a heading of the docs' navigation. */
interface ArticleGroup {
  title: string;
  articles: Article[];
}

/** The articles by subject, in the order of the docs' navigation: what owners ask first, what agents and programs need last. */
export const articleGroups = (base: string, rates?: Rates): ArticleGroup[] => [
  {
    title: "For owners",
    articles: [reportsArticle, goalsArticle, funnelsArticle, filtersArticle, sharingArticle].map((article) =>
      article(base),
    ),
  },
  {
    title: "Privacy",
    articles: [privacyArticle, storedDataArticle, dataProcessingArticle].map((article) => article(base)),
  },
  {
    title: "Moving",
    articles: [
      fromPlausibleArticle,
      fromUmamiArticle,
      fromGa4Article,
      fromMatomoArticle,
      fromFathomArticle,
      fromOthersArticle,
      fromSegmentArticle,
      exportAndImportArticle,
    ].map((article) => article(base)),
  },
  {
    title: "Collecting data",
    articles: [trackerArticle, eventsApiArticle, measurementProtocolArticle, ownDomainArticle, proxiesArticle].map(
      (article) => article(base),
    ),
  },
  {
    title: "Agents and API",
    articles: [
      agentsArticle(base, rates),
      ...[connectArticle, identityArticle, metricsArticle, apiArticle, webhooksArticle].map((article) => article(base)),
    ],
  },
];

/** Every article, in the order of the docs' navigation and of the texts for agents. */
export const allArticles = (base: string, rates?: Rates): Article[] =>
  articleGroups(base, rates).flatMap(({ articles }) => articles);
