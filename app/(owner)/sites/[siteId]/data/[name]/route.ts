import { answerOwner } from "@/app/_dashboard/answer";
import { changesFromQuery } from "@/app/_dashboard/changes-of";
import { queryNamed } from "@/app/_dashboard/queries-by-name";
import { ask, principalOf } from "@/app/(owner)/access";
import { queryAs } from "@/lib/gateway/execute";
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
