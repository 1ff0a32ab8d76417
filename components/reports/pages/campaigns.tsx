import { DataTable } from "@/components/reports/pages/data-table";
import type { CampaignsAnswer } from "@/components/reports/pages/sheets/campaigns";
import { Teach } from "@/components/reports/pages/teach";
import { TrendCard, type TrendSeries } from "@/components/reports/pages/trend-card";
import { Unconverted } from "@/components/reports/pages/unconverted";
import { formatMoney, type Sheet } from "@/components/reports/sheet";

interface Props {
  answer: CampaignsAnswer;
  sheets: Map<string, Sheet>;
  domain: string;
}

/** What each campaign and each channel led to. */
export function CampaignsReport({ answer, sheets, domain }: Props) {
  const { campaigns, conversions_of, unconverted, meta } = answer;
  const [tagged, channels] = [sheets.get("campaigns"), sheets.get("channels")];
  const hasVisits = channels && channels.rows.length > 0;
  const conversions =
    conversions_of === "goals"
      ? "A conversion is an event that reaches any of the site's goals."
      : "The site has no goals: a conversion is any custom or commerce event that somebody caused, except refunds.";
  return (
    <>
      <Unconverted amounts={unconverted.map(formatMoney)} />
      {hasVisits && (
        <TrendCard
          title="Visits by channel"
          kind="stacked"
          meta={meta}
          buckets={answer.series}
          series={channelsOf(answer)}
        />
      )}
      {campaigns.length > 0 && (
        <TrendCard
          title="Visits by campaign"
          kind="line"
          meta={meta}
          buckets={answer.series}
          series={campaignsOf(answer)}
        />
      )}
      {campaigns.length === 0 ? (
        <Teach
          title="No campaign in this range"
          code={`https://${domain}/?utm_source=newsletter&utm_medium=email&utm_campaign=spring`}
          docs={{ href: "/docs/metrics", label: "What the tags mean" }}
        >
          Add such tags to the links in your emails, posts and ads. Visits through them are listed here.
        </Teach>
      ) : (
        tagged && <DataTable sheet={tagged} about={conversions} truncated={meta.truncated} />
      )}
      {channels && hasVisits && (
        <DataTable sheet={channels} about="Every visit is in one channel, by the first rule that fits it." />
      )}
    </>
  );
}

type Bucket = CampaignsAnswer["series"][number];

/** The channels with the most visits, and all others together. */
function channelsOf({ series }: CampaignsAnswer): TrendSeries<Bucket>[] {
  const channels = series[0]?.channels ?? [];
  const others = ({ visits, channels: some }: Bucket) => visits - some.reduce((sum, one) => sum + one.visits, 0);
  return [
    ...channels.map(({ channel }, index) => ({
      key: `channel-${index}`,
      label: channel ?? "Unknown",
      unit: "count" as const,
      read: (bucket: Bucket) => bucket.channels[index]?.visits ?? 0,
    })),
    ...(series.some((bucket) => others(bucket) > 0)
      ? [{ key: "others", label: "Other channels", unit: "count" as const, read: others }]
      : []),
  ];
}

/** The campaigns with the most visits, each by the most telling of its tags, or all where another has the same. */
function campaignsOf({ series }: CampaignsAnswer): TrendSeries<Bucket>[] {
  const told = (series[0]?.campaigns ?? []).map(({ source, medium, campaign, content, term }) =>
    [campaign, source, medium, content, term].filter((tag) => tag !== null),
  );
  const isAlone = (first: string | undefined) => told.filter(([other]) => other === first).length === 1;
  return told.map((tags, index) => ({
    key: `campaign-${index}`,
    label: (isAlone(tags[0]) ? tags.slice(0, 1) : tags).join(" · ") || "Unknown",
    unit: "count",
    read: (bucket) => bucket.campaigns[index]?.visits ?? 0,
  }));
}
