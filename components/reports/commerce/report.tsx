import { commerceSays } from "@/components/reports/commerce/says";
import { commerceSheets } from "@/components/reports/commerce/sheets";
import { defineReport } from "@/components/reports/definition";
import { LazyAttributionChoice } from "@/components/reports/parts/lazy-parts";
import analyticsCommerce from "@/lib/operations/analytics.commerce";

export default defineReport({
  op: analyticsCommerce,
  sheets: commerceSheets,
  says: commerceSays,
  attributed: () => true,
  above: () => <LazyAttributionChoice />,
  async body({ answer, sheets, site }) {
    const { CommerceReport } = await import("@/components/reports/commerce/body");
    return <CommerceReport answer={answer} sheets={sheets} currency={site.reporting_currency} />;
  },
});
