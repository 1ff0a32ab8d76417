import type { CampaignsAnswer } from "@/components/reports/campaigns/sheets";
import { FEW, moved, named, sentencesOf } from "@/components/reports/sentences";
import { formatExactly, formatMoney } from "@/lib/contract/numbers";
import { t } from "@/lib/texts/translate";

type Campaign = CampaignsAnswer["campaigns"][number];

const tagsOf = ({ campaign, source, medium, content, term }: Campaign): string[] =>
  [campaign, source, medium, content, term].filter((tag) => tag !== null);

/** Returns the name of a campaign: its first tag, or all of them if another campaign has the same. */
function nameIn(campaigns: readonly Campaign[], one: Campaign): string {
  const [first, ...rest] = tagsOf(one);
  const isUnique = campaigns.filter((other) => tagsOf(other)[0] === first).length === 1;
  return named([first, ...(isUnique ? [] : rest)].join(" · "));
}

/** Returns which campaign brought the most visits and revenue, and which brought visitors but no conversion. */
export function campaignsSay({ campaigns, comparison }: CampaignsAnswer): string | null {
  // Rows are in the order of their visitors; an import may lack visits.
  const [place = -1] = campaigns
    .flatMap(({ visits }, index) => (visits === null ? [] : [index]))
    .sort((a, b) => (campaigns[b]?.visits ?? 0) - (campaigns[a]?.visits ?? 0));
  const most = campaigns[place];
  if (!most) return null;
  const nameOf = (one: Campaign) => nameIn(campaigns, one);
  const earlier = comparison?.campaigns[place];
  const visits = moved({
    label: t("Visits of the campaign {name}, which brought the most,", { name: nameOf(most) }),
    isPlural: true,
    now: most.visits,
    before: earlier === null ? 0 : earlier?.visits,
    format: formatExactly,
  });
  const richest = [...campaigns].sort((a, b) => Number(b.revenue.amount) - Number(a.revenue.amount))[0];
  const isPaid = richest !== undefined && Number(richest.revenue.amount) > 0;
  const idle = campaigns.some(({ conversions }) => conversions > 0)
    ? campaigns.find(({ conversions, visitors }) => conversions === 0 && visitors >= FEW)
    : undefined;
  return sentencesOf(
    visits,
    isPaid &&
      t("The most revenue came from {name}: {revenue}", {
        name: nameOf(richest),
        revenue: formatMoney(richest.revenue),
      }),
    idle &&
      t("{name} brought {count} visitors and no conversion", {
        name: nameOf(idle),
        count: formatExactly(idle.visitors),
      }),
  );
}
