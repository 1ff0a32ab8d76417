import { campaignsSay } from "@/components/reports/campaigns/says";
import { campaignSheets } from "@/components/reports/campaigns/sheets";
import { defineReport } from "@/components/reports/definition";
import { LazyAttributionChoice } from "@/components/reports/parts/lazy-parts";
import analyticsCampaigns from "@/lib/operations/analytics.campaigns";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Campaigns and channels"),
  op: analyticsCampaigns,
  sheets: campaignSheets,
  says: campaignsSay,
  attributed: () => true,
  above: () => <LazyAttributionChoice />,
  async body({ answer, sheets, site }) {
    const { CampaignsReport } = await import("@/components/reports/campaigns/body");
    return <CampaignsReport answer={answer} sheets={sheets} domain={site.domain} />;
  },
});
