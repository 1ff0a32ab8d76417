import { aiSays } from "@/components/reports/ai/says";
import { aiSheets } from "@/components/reports/ai/sheets";
import { defineReport } from "@/components/reports/definition";
import analyticsAi from "@/lib/operations/analytics.ai";
import { env } from "@/lib/platform/env";

export default defineReport({
  op: analyticsAi,
  sheets: aiSheets,
  says: aiSays,
  ownTraffic: true,
  async body({ answer, sheets, site }) {
    const { AiReport } = await import("@/components/reports/ai/body");
    return <AiReport answer={answer} sheets={sheets} domain={site.domain} service={env().BASE_URL} />;
  },
});
