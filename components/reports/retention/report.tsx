import { defineReport } from "@/components/reports/definition";
import { retentionSays } from "@/components/reports/retention/says";
import { retentionSheets } from "@/components/reports/retention/sheets";
import { REPORTS } from "@/lib/contract/reports";
import analyticsRetention from "@/lib/operations/analytics.retention";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Retention"),
  about: REPORTS.retention.about,
  op: analyticsRetention,
  sheets: retentionSheets,
  says: retentionSays,
  alone: true,
  async body({ answer, sheets, onDashboard }) {
    const { RetentionReport } = await import("@/components/reports/retention/body");
    return <RetentionReport answer={answer} sheets={sheets} chooses={!onDashboard} />;
  },
});
