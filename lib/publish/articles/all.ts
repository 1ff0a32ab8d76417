import { agents, type Rates } from "@/lib/publish/articles/agents";
import { api } from "@/lib/publish/articles/api";
import type { Article } from "@/lib/publish/articles/article";
import { connect } from "@/lib/publish/articles/connect";
import { eventsApi } from "@/lib/publish/articles/events-api";
import { exportAndImport } from "@/lib/publish/articles/export";
import { identity } from "@/lib/publish/articles/identity";
import { measurementProtocol } from "@/lib/publish/articles/measurement-protocol";
import { metrics } from "@/lib/publish/articles/metrics";
import { ownDomain } from "@/lib/publish/articles/own-domain";
import { proxies } from "@/lib/publish/articles/proxies";
import { sharing } from "@/lib/publish/articles/sharing";
import { tracker } from "@/lib/publish/articles/tracker";
import { webhooks } from "@/lib/publish/articles/webhooks";

/** Every article, in the order of the docs' navigation and of the texts for agents. */
export const allArticles = (base: string, rates?: Rates): Article[] => [
  tracker(base),
  eventsApi(base),
  measurementProtocol(base),
  agents(base, rates),
  connect(base),
  identity(base),
  metrics(base),
  api(base),
  ownDomain(base),
  proxies(base),
  webhooks(base),
  sharing(base),
  exportAndImport(base),
];
