import { aiSays } from "@/components/reports/ai/says";
import { aiSheets } from "@/components/reports/ai/sheets";
import { defineReport } from "@/components/reports/definition";
import { REPORTS } from "@/lib/contract/reports";
import analyticsAi from "@/lib/operations/analytics.ai";
import { env } from "@/lib/platform/env";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("AI traffic"),
  about: REPORTS.ai.about,
  op: analyticsAi,
  sheets: aiSheets,
  says: aiSays,
  ownTraffic: true,
  async body({ answer, sheets, site }) {
    const { AiReport } = await import("@/components/reports/ai/body");
    return <AiReport answer={answer} sheets={sheets} domain={site.domain} service={env().BASE_URL} />;
  },
});
