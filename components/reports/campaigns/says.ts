import type { CampaignsAnswer } from "@/components/reports/campaigns/sheets";
import { FEW, moved, named, sentencesOf } from "@/components/reports/sentences";
import { formatExactly, formatMoney } from "@/lib/contract/numbers";

type Campaign = CampaignsAnswer["campaigns"][number];

/** The name of a campaign: its first tag. */
const nameOf = ({ campaign, source, medium, content, term }: Campaign): string =>
  named([campaign, source, medium, content, term].find((tag) => tag !== null) ?? "without tags");

/** Returns which campaign brought the most visits and revenue, and which brought visitors but no conversion. */
export function campaignsSay({ campaigns, comparison }: CampaignsAnswer): string | null {
  const [most] = campaigns;
  if (!most) return null;
  const before = comparison ? (comparison.campaigns[0]?.visits ?? 0) : undefined;
  const visits = moved({
    label: `Visits of the campaign ${nameOf(most)}, which brought the most,`,
    isPlural: true,
    now: most.visits,
    before,
    format: formatExactly,
  });
  const richest = [...campaigns].sort((a, b) => Number(b.revenue.amount) - Number(a.revenue.amount))[0];
  const isPaid = richest !== undefined && Number(richest.revenue.amount) > 0;
  const idle = campaigns.some(({ conversions }) => conversions > 0)
    ? campaigns.find(({ conversions, visitors }) => conversions === 0 && visitors >= FEW)
    : undefined;
  return sentencesOf(
    visits,
    isPaid && `The most revenue came from ${nameOf(richest)}: ${formatMoney(richest.revenue)}`,
    idle && `${nameOf(idle)} brought ${formatExactly(idle.visitors)} visitors and no conversion`,
  );
}
