import { defineReport } from "@/components/reports/definition";
import { retentionSheets } from "@/components/reports/retention/sheets";
import analyticsRetention from "@/lib/operations/analytics.retention";

export default defineReport({
  title: "Retention",
  op: analyticsRetention,
  sheets: retentionSheets,
  alone: true,
  async body({ answer, sheets }) {
    const { RetentionReport } = await import("@/components/reports/retention/body");
    return <RetentionReport answer={answer} sheets={sheets} />;
  },
});
