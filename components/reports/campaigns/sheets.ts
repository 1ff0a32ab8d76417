import type { z } from "zod";
import { iconOf } from "@/components/icons/icon-of";
import { filteredBy } from "@/components/reports/row-filter";
import { column, type Sheet, sheetOf, valued } from "@/components/reports/sheet";
import { valueColumn } from "@/components/reports/value-column";
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

type Tagged = Pick<Campaign, "source" | "medium" | "campaign" | "term" | "content">;

/** Returns the columns of the tags of a campaign. @param unknown what stands for a missing name of one */
export const tagColumns = <Row extends Tagged>(unknown?: string) => [
  column<Row>(msg("Campaign"), "text", (row) => row.campaign, { unknown }),
  column<Row>(msg("Source"), "text", (row) => row.source, {
    icon: ({ source }) => (source === null ? undefined : iconOf("utm_source", source)),
  }),
  column<Row>(msg("Medium"), "text", (row) => row.medium),
  column<Row>(msg("Term"), "text", (row) => row.term),
  column<Row>(msg("Content"), "text", (row) => row.content),
];

/** Returns the filters of a campaign: the tags that it has. */
export const campaignFilters = (row: Tagged) =>
  Object.fromEntries(
    (["campaign", "source", "medium", "term", "content"] as const).flatMap((key) =>
      row[key] === null ? [] : [[`utm_${key}`, row[key]]],
    ),
  ) as Record<string, string>;

const rulesText = ({ rules }: Channel): string =>
  rules.map(({ rule, when, visits }) => `${when === null ? rule : t(when)} (${visits})`).join("; ");

export function campaignSheets({ campaigns, channels, comparison, meta }: CampaignsAnswer): Sheet[] {
  const named = valueColumn<Channel>(msg("Channel"), "channel", (row) => row.channel);
  const rules = column<Channel>(msg("Matching rules"), "text", rulesText, {
    about: msg("The rules that matched, with their number of visits"),
  });
  return [
    sheetOf<Campaign>(
      "campaigns",
      msg("Campaigns"),
      campaigns,
      [...tagColumns<Campaign>(), ...acquisitionOf(campaigns)],
      {
        before: comparison?.campaigns ?? null,
        bar: 5,
        link: (row) => filteredBy(meta, campaignFilters(row)),
      },
    ),
    sheetOf<Channel>("channels", msg("Channels"), channels, [named, ...acquisitionOf(channels), rules], {
      before: comparison?.channels ?? null,
      bar: 1,
      link: ({ channel }) => filteredBy(meta, { channel }),
    }),
  ];
}
