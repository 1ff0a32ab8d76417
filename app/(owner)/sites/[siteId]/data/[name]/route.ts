import { answerOwner } from "@/app/_dashboard/answer";
import type { QueryContext } from "@/app/_dashboard/queries";
import { queryNamed } from "@/app/_dashboard/queries-by-name";
import { ask, principalOf } from "@/app/(owner)/access";
import type { WhatChangedAnswer } from "@/components/reports/answers";
import { paramsOf } from "@/components/reports/filters";
import { readView, reportInput } from "@/components/reports/view";
import { queryAs } from "@/lib/gateway/execute";
import analyticsChanges from "@/lib/operations/analytics.changes";
import analyticsReports from "@/lib/operations/analytics.reports";
import sitesActivity from "@/lib/operations/sites.activity";
import sitesDashboardsList from "@/lib/operations/sites.dashboards.list";

interface Context {
  params: Promise<{ siteId: string; name: string }>;
}

/** Responds to the background requests of the owner's open pages. */
export const GET = (request: Request, { params }: Context): Promise<Response> =>
  answerOwner(params, async (owner, siteId) => {
    const { name } = await params;
    // Time of the last event, current visitors and recent refusals.
    if (name === "last-event") return ask(sitesActivity, owner, { site_id: siteId });
    // What the menu names first.
    if (name === "reports") return ask(analyticsReports, owner, { site_id: siteId, period: "90d" });
    // What the command palette opens.
    if (name === "saved") return ask(sitesDashboardsList, owner, { site_id: siteId });
    const as = queryAs(principalOf(owner), request.signal);
    const context = { as, siteId, now: new Date(), goals: true } as const;
    const { searchParams } = new URL(request.url);
    // The values that explain a change, which a public dashboard does not show.
    if (name === "changes") return changesFromQuery(context, searchParams);
    return queryNamed(name)(context, searchParams);
  });

/** As many as the card has room for. */
const LINES = 3;

/** The values that explain how visits or conversions of the chosen goal changed, for the view of a URL. @throws Refusal */
async function changesFromQuery(
  { as, siteId, now }: QueryContext,
  searchParams: URLSearchParams,
): Promise<WhatChangedAnswer> {
  const view = readView(paramsOf(searchParams));
  const explained = view.goal === null ? {} : { metric: "conversions" as const, goal: view.goal };
  const input = { ...reportInput(siteId, view), ...explained, limit: 1 };
  const { total, findings } = (await as(analyticsChanges, { input, now })).data;
  return {
    total: total.sentence,
    findings: findings.slice(0, LINES).map(({ dimension, value, effect, sentence }) => {
      const up = (effect ?? 0) > 0;
      return { dimension, value, text: sentence, up, isBetter: up };
    }),
  };
}
