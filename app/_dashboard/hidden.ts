import type { HiddenTraffic } from "@/components/reports/hidden-traffic";
import { NOT_COMPARED, reportInput, type View } from "@/components/reports/view";
import { TRAFFIC_CLASSES, type Traffic } from "@/lib/contract/vocabulary";
import analyticsExplore from "@/lib/operations/analytics.explore";
import type { QueryContext } from "./queries";

const isHidden = (name: string | null | undefined): name is Exclude<Traffic, "human" | "all"> =>
  name !== "human" && Object.keys(TRAFFIC_CLASSES).includes(`${name}`);

/** Returns the traffic of a view's range that its human visitors leave out, the most frequent class first. @throws Refusal */
export async function hiddenTraffic({ as, siteId, now }: QueryContext, view: View): Promise<{ data: HiddenTraffic[] }> {
  const { data } = await as(analyticsExplore, {
    input: {
      ...reportInput(siteId, view),
      ...NOT_COMPARED,
      traffic: "all",
      dimensions: "traffic",
      metrics: "pageviews,events",
    },
    now,
  });
  const hidden = data.rows
    .flatMap(({ values: [name], pageviews, events }) =>
      isHidden(name) ? [{ traffic: name, pageviews: pageviews ?? 0, events: events ?? 0 }] : [],
    )
    .filter(({ pageviews, events }) => pageviews + events > 0);
  return { data: hidden };
}
