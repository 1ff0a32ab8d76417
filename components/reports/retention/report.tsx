import { defineReport } from "@/components/reports/definition";
import { retentionSays } from "@/components/reports/retention/says";
import { retentionSheets } from "@/components/reports/retention/sheets";
import analyticsRetention from "@/lib/operations/analytics.retention";

export default defineReport({
  op: analyticsRetention,
  sheets: retentionSheets,
  says: retentionSays,
  alone: true,
  async body({ answer, sheets, onDashboard }) {
    const { RetentionReport } = await import("@/components/reports/retention/body");
    return <RetentionReport answer={answer} sheets={sheets} chooses={!onDashboard} />;
  },
});
