import { defineReport } from "@/components/reports/definition";
import { vitalSheets } from "@/components/reports/vitals/sheets";
import analyticsVitals from "@/lib/operations/analytics.vitals";
import { env } from "@/lib/platform/env";

export default defineReport({
  title: "Web vitals",
  op: analyticsVitals,
  sheets: vitalSheets,
  async body({ answer, sheets, site }) {
    const { VitalsReport } = await import("@/components/reports/vitals/body");
    return <VitalsReport answer={answer} sheets={sheets} domain={site.domain} baseUrl={env().BASE_URL} />;
  },
});
