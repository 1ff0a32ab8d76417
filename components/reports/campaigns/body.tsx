import type { CampaignsAnswer } from "@/components/reports/campaigns/sheets";
import { goalSentence } from "@/components/reports/goal-sentence";
import { DataTable } from "@/components/reports/parts/data-table";
import { EmptyReport } from "@/components/reports/parts/empty-report";
import { TrendCard, type TrendSeries } from "@/components/reports/parts/trend-card";
import { Unconverted } from "@/components/reports/parts/unconverted";
import type { ReportProps } from "@/components/reports/sheet";
import { valueName } from "@/lib/analytics/query/value-names";
import { formatMoney } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

interface Props extends ReportProps<CampaignsAnswer> {
  domain: string;
}

/** Report: visits and conversions by campaign and channel. */
export function CampaignsReport({ answer, sheets, domain }: Props) {
  const { campaigns, unconverted, meta } = answer;
  const [tagged, channels] = [sheets.get("campaigns"), sheets.get("channels")];
  const hasVisits = channels && channels.rows.length > 0;
  return (
    <>
      <Unconverted amounts={unconverted.map(formatMoney)} />
      {hasVisits && (
        <TrendCard
          title={t("Visits by channel")}
          kind="stacked"
          meta={meta}
          buckets={answer.series}
          series={channelsOf(answer)}
        />
      )}
      {campaigns.length > 0 && (
        <TrendCard
          title={t("Visits by campaign")}
          kind="line"
          meta={meta}
          buckets={answer.series}
          series={campaignsOf(answer)}
        />
      )}
      {campaigns.length === 0 ? (
        <EmptyReport
          title={t("No campaign in this range")}
          code={`https://${domain}/?utm_source=newsletter&utm_medium=email&utm_campaign=spring`}
          docs={{ href: "/docs/metrics", label: t("How UTM tags work") }}
        >
          {t(
            "Add UTM tags like these to the links in your emails, posts and ads. Visits through these links appear here.",
          )}
        </EmptyReport>
      ) : (
        tagged && <DataTable sheet={tagged} about={conversionsOf(answer)} truncated={meta.truncated} />
      )}
      {channels && hasVisits && (
        <DataTable sheet={channels} about={t("Each visit belongs to one channel: that of the first matching rule.")} />
      )}
    </>
  );
}

/** What a conversion is, in a sentence. */
function conversionsOf({ conversions_of, goal }: CampaignsAnswer): string {
  const chosen = goalSentence(goal);
  if (chosen) return chosen;
  return conversions_of === "goals"
    ? t("A conversion is an event that reaches any of the site's goals.")
    : t("The site has no goals. A conversion is any custom or commerce event of a visitor, except refunds.");
}

type Bucket = CampaignsAnswer["series"][number];

/** Returns a series per channel with the most visits, and one for all others. */
function channelsOf({ series }: CampaignsAnswer): TrendSeries<Bucket>[] {
  const channels = series[0]?.channels ?? [];
  const others = ({ visits, channels: some }: Bucket) => visits - some.reduce((sum, one) => sum + one.visits, 0);
  return [
    ...channels.map(({ channel }, index) => ({
      key: `channel-${index}`,
      label: valueName("channel", channel),
      unit: "count" as const,
      read: (bucket: Bucket) => bucket.channels[index]?.visits ?? 0,
    })),
    ...(series.some((bucket) => others(bucket) > 0)
      ? [{ key: "others", label: t("Other channels"), unit: "count" as const, read: others }]
      : []),
  ];
}

/** Returns a series per campaign with the most visits, named by its first tag, or by all tags if another has the same. */
function campaignsOf({ series }: CampaignsAnswer): TrendSeries<Bucket>[] {
  const tagged = (series[0]?.campaigns ?? []).map(({ source, medium, campaign, content, term }) =>
    [campaign, source, medium, content, term].filter((tag) => tag !== null),
  );
  const isUnique = (first: string | undefined) => tagged.filter(([other]) => other === first).length === 1;
  return tagged.map((tags, index) => ({
    key: `campaign-${index}`,
    label: (isUnique(tags[0]) ? tags.slice(0, 1) : tags).join(" · ") || t("Unknown"),
    unit: "count",
    read: (bucket) => bucket.campaigns[index]?.visits ?? 0,
  }));
}
