import type { z } from "zod";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf, valued } from "@/components/reports/sheet";
import { valueName } from "@/components/reports/values";
import type campaigns from "@/lib/operations/analytics.campaigns";
import { msg, t } from "@/lib/texts/translate";

export type CampaignsAnswer = z.output<(typeof campaigns)["output"]>;
type Campaign = CampaignsAnswer["campaigns"][number];
type Channel = CampaignsAnswer["channels"][number];
type Acquisition = Omit<Channel, "channel" | "rules">;

/** The columns of numbers; the value of conversions where a goal has one. */
const acquisitionOf = (rows: readonly Acquisition[]) => [
  column<Acquisition>(msg("Visitors"), "count", (row) => row.visitors),
  column<Acquisition>(msg("Visits"), "count", (row) => row.visits),
  column<Acquisition>(msg("Bounce rate"), "fraction", (row) => row.bounce_rate),
  column<Acquisition>(msg("Conversions"), "count", (row) => row.conversions),
  column<Acquisition>(msg("Conversion rate"), "fraction", (row) => row.conversion_rate, {
    about: msg("Share of visitors with a conversion"),
  }),
  ...valued(rows),
  column<Acquisition>(msg("Revenue"), "money", (row) => row.revenue),
];

/** Returns the filters of a campaign: the tags that it has. */
export const tagsOf = (row: Pick<Campaign, "source" | "medium" | "campaign" | "term" | "content">) =>
  Object.fromEntries(
    (["campaign", "source", "medium", "term", "content"] as const).flatMap((key) =>
      row[key] === null ? [] : [[`utm_${key}`, row[key]]],
    ),
  ) as Record<string, string>;

const rulesText = ({ rules }: Channel): string =>
  rules.map(({ rule, when, visits }) => `${when === null ? rule : t(when)} (${visits})`).join("; ");

export function campaignSheets({ campaigns, channels, comparison, meta }: CampaignsAnswer): Sheet[] {
  const tag = (label: string, key: "source" | "medium" | "campaign" | "term" | "content") =>
    column<Campaign>(label, "text", (row) => row[key]);
  const tags = [
    tag(msg("Campaign"), "campaign"),
    tag(msg("Source"), "source"),
    tag(msg("Medium"), "medium"),
    tag(msg("Term"), "term"),
    tag(msg("Content"), "content"),
  ];
  const named = column<Channel>(msg("Channel"), "text", (row) => row.channel && valueName("channel", row.channel), {
    unknown: msg("Unknown"),
  });
  const rules = column<Channel>(msg("Matching rules"), "text", rulesText, {
    about: msg("The rules that matched, with their number of visits"),
  });
  return [
    sheetOf<Campaign>("campaigns", msg("Campaigns"), campaigns, [...tags, ...acquisitionOf(campaigns)], {
      before: comparison?.campaigns ?? null,
      bar: 5,
      link: (row) => filteredBy(meta, tagsOf(row)),
    }),
    sheetOf<Channel>("channels", msg("Channels"), channels, [named, ...acquisitionOf(channels), rules], {
      before: comparison?.channels ?? null,
      bar: 1,
      link: ({ channel }) => filteredBy(meta, { channel }),
    }),
  ];
}
