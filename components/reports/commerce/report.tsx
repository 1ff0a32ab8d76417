import { commerceSays } from "@/components/reports/commerce/says";
import { commerceSheets } from "@/components/reports/commerce/sheets";
import { defineReport } from "@/components/reports/definition";
import analyticsCommerce from "@/lib/operations/analytics.commerce";

export default defineReport({
  title: "Commerce",
  about: "What you sell, through which sources, and where buyers are lost.",
  op: analyticsCommerce,
  sheets: commerceSheets,
  says: commerceSays,
  async body({ answer, sheets, site }) {
    const { CommerceReport } = await import("@/components/reports/commerce/body");
    return <CommerceReport answer={answer} sheets={sheets} currency={site.reporting_currency} />;
  },
});
