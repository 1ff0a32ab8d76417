import { changeSheets, filtersIn } from "@/components/reports/changes/sheets";
import { defineReport } from "@/components/reports/definition";
import { REPORTS } from "@/lib/contract/reports";
import analyticsChanges from "@/lib/operations/analytics.changes";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("What changed"),
  about: REPORTS.changes.about,
  op: analyticsChanges,
  sheets: changeSheets,
  says: ({ total }) => total.sentence,
  compared: true,
  goalResets: ["metric"],
  withGoal: (goal, { metric = "conversions" }) => (metric === "conversions" ? { metric, goal } : {}),
  async body({ answer, sheets, onDashboard }) {
    const { ChangesReport } = await import("@/components/reports/changes/body");
    return <ChangesReport answer={answer} sheets={sheets} filters={filtersIn(answer)} choosesMetric={!onDashboard} />;
  },
});
