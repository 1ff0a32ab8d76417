import type { z } from "zod";
import { column, type Sheet, sheetOf } from "@/components/reports/sheet";
import type campaigns from "@/lib/operations/analytics.campaigns";

export type CampaignsAnswer = z.output<(typeof campaigns)["output"]>;
type Campaign = CampaignsAnswer["campaigns"][number];
type Channel = CampaignsAnswer["channels"][number];
type Led = Omit<Channel, "channel" | "rules">;

const led = [
  column<Led>("Visitors", "count", (row) => row.visitors),
  column<Led>("Visits", "count", (row) => row.visits),
  column<Led>("Bounce rate", "fraction", (row) => row.bounce_rate, { lessIsBetter: true }),
  column<Led>("Conversions", "count", (row) => row.conversions),
  column<Led>("Conversion rate", "fraction", (row) => row.conversion_rate, { about: "Converters of its visitors" }),
  column<Led>("Revenue", "money", (row) => row.revenue),
];

const why = ({ rules }: Channel): string =>
  rules.map(({ rule, when, visits }) => `${when ?? rule} (${visits})`).join("; ");

export function campaignSheets({ campaigns, channels, comparison }: CampaignsAnswer): Sheet[] {
  const word = (label: string, key: "source" | "medium" | "campaign" | "term" | "content") =>
    column<Campaign>(label, "text", (row) => row[key]);
  const tags = [
    word("Campaign", "campaign"),
    word("Source", "source"),
    word("Medium", "medium"),
    word("Term", "term"),
    word("Content", "content"),
  ];
  const named = column<Channel>("Channel", "text", (row) => row.channel, { unknown: "Unknown" });
  const chosen = column<Channel>("Chosen because", "text", why, {
    about: "The rule that fitted, and how many visits it took",
  });
  return [
    sheetOf("campaigns", "Campaigns", campaigns, [...tags, ...led], { before: comparison?.campaigns ?? null, bar: 5 }),
    sheetOf("channels", "Channels", channels, [named, ...led, chosen], {
      before: comparison?.channels ?? null,
      bar: 1,
    }),
  ];
}
