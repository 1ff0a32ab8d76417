import { defineReport } from "@/components/reports/definition";
import { vitalsSay } from "@/components/reports/vitals/says";
import { vitalSheets } from "@/components/reports/vitals/sheets";
import { vitalKeys } from "@/lib/analytics/reports/vitals";
import analyticsVitals from "@/lib/operations/analytics.vitals";
import { env } from "@/lib/platform/env";

export default defineReport({
  op: analyticsVitals,
  sheets: vitalSheets,
  says: vitalsSay,
  async body({ answer, sheets, site, query: { vital } }) {
    const shown = vitalKeys.find((key) => key === vital) ?? "lcp";
    const { VitalsReport } = await import("@/components/reports/vitals/body");
    return <VitalsReport answer={answer} sheets={sheets} shown={shown} domain={site.domain} baseUrl={env().BASE_URL} />;
  },
});
