import { defineReport } from "@/components/reports/definition";
import { Builder } from "@/components/reports/funnels/builder";
import { oneFunnelSays } from "@/components/reports/funnels/says";
import { funnelSheets } from "@/components/reports/funnels/sheets";
import { addressOf } from "@/components/reports/view";
import analyticsFunnelsAdvanced from "@/lib/operations/analytics.funnels.advanced";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Funnel"),
  about: msg("Where visitors leave this funnel, where they go instead, and how long each step takes."),
  op: analyticsFunnelsAdvanced,
  sheets: funnelSheets,
  says: oneFunnelSays,
  async body({ answer, sheets, path, query: { funnel, edits: __, ...query } }) {
    const { FunnelReport } = await import("@/components/reports/funnel/body");
    const journeys = addressOf(path.replace(/funnel$/, "journeys"), { ...query, funnel });
    return <FunnelReport answer={answer} sheets={sheets} all={addressOf(`${path}s`, query)} journeys={journeys} />;
  },
  below: ({ site, read, query }) => <Builder site={site} read={read} query={query} />,
});
