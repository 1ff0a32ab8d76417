import { changeSheets } from "@/components/reports/changes/sheets";
import { defineReport } from "@/components/reports/definition";
import { filtersIn } from "@/components/reports/filters";
import analyticsChanges from "@/lib/operations/analytics.changes";

export default defineReport({
  op: analyticsChanges,
  sheets: changeSheets,
  says: ({ total }) => total.sentence,
  compared: true,
  goalResets: ["metric"],
  withGoal: (goal, { metric = "conversions" }) => (metric === "conversions" ? { metric, goal } : {}),
  async body({ answer, sheets, onDashboard }) {
    const { ChangesReport } = await import("@/components/reports/changes/body");
    return (
      <ChangesReport
        answer={answer}
        sheets={sheets}
        filters={filtersIn(answer.meta.filters)}
        choosesMetric={!onDashboard}
      />
    );
  },
});
