import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type campaigns from "@/lib/operations/analytics.campaigns";

export type CampaignsAnswer = z.output<(typeof campaigns)["output"]>;
type Campaign = CampaignsAnswer["campaigns"][number];
type Channel = CampaignsAnswer["channels"][number];
type Acquisition = Omit<Channel, "channel" | "rules">;

const acquisition = [
  column<Acquisition>("Visitors", "count", (row) => row.visitors),
  column<Acquisition>("Visits", "count", (row) => row.visits),
  column<Acquisition>("Bounce rate", "fraction", (row) => row.bounce_rate),
  column<Acquisition>("Conversions", "count", (row) => row.conversions),
  column<Acquisition>("Conversion rate", "fraction", (row) => row.conversion_rate, {
    about: "Share of visitors with a conversion",
  }),
  column<Acquisition>("Revenue", "money", (row) => row.revenue),
];

/** Returns the filters of a campaign: the tags that it has. */
export const tagsOf = (row: Pick<Campaign, "source" | "medium" | "campaign" | "term" | "content">) =>
  Object.fromEntries(
    (["campaign", "source", "medium", "term", "content"] as const).flatMap((key) =>
      row[key] === null ? [] : [[`utm_${key}`, row[key]]],
    ),
  ) as Record<string, string>;

const rulesText = ({ rules }: Channel): string =>
  rules.map(({ rule, when, visits }) => `${when ?? rule} (${visits})`).join("; ");

export function campaignSheets({ campaigns, channels, comparison, meta }: CampaignsAnswer): Sheet[] {
  const tag = (label: string, key: "source" | "medium" | "campaign" | "term" | "content") =>
    column<Campaign>(label, "text", (row) => row[key]);
  const tags = [
    tag("Campaign", "campaign"),
    tag("Source", "source"),
    tag("Medium", "medium"),
    tag("Term", "term"),
    tag("Content", "content"),
  ];
  const named = column<Channel>("Channel", "text", (row) => row.channel, { unknown: "Unknown" });
  const rules = column<Channel>("Matching rules", "text", rulesText, {
    about: "The rules that matched, with their number of visits",
  });
  return [
    sheetOf<Campaign>("campaigns", "Campaigns", campaigns, [...tags, ...acquisition], {
      before: comparison?.campaigns ?? null,
      bar: 5,
      link: (row) => filteredBy(meta, tagsOf(row)),
    }),
    sheetOf<Channel>("channels", "Channels", channels, [named, ...acquisition, rules], {
      before: comparison?.channels ?? null,
      bar: 1,
      link: ({ channel }) => filteredBy(meta, { channel }),
    }),
  ];
}
