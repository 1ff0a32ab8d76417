import { defineReport } from "@/components/reports/definition";
import { Builder } from "@/components/reports/funnels/builder";
import { funnelsSay } from "@/components/reports/funnels/says";
import { funnelsSheets } from "@/components/reports/funnels/sheets";
import { addressOf } from "@/components/reports/view";
import { manages } from "@/lib/contract/access";
import analyticsFunnels from "@/lib/operations/analytics.funnels";

export default defineReport({
  op: analyticsFunnels,
  sheets: funnelsSheets,
  says: funnelsSay,
  async body({ answer, sheets, site, path, query, onDashboard, isShared }) {
    const { FunnelsReport } = await import("@/components/reports/funnels/body");
    const details = (funnel: string) => addressOf(path.replace(/funnels$/, "funnel"), { ...query, funnel });
    return (
      <FunnelsReport
        answer={answer}
        sheets={sheets}
        manages={!onDashboard && manages(site.role)}
        details={isShared ? null : details}
      />
    );
  },
  below: ({ site, read }) => <Builder site={site} read={read} query={{}} />,
});
