import { AttributionChoice } from "@/components/reports/attribution-choice";
import { commerceSays } from "@/components/reports/commerce/says";
import { commerceSheets } from "@/components/reports/commerce/sheets";
import { defineReport } from "@/components/reports/definition";
import { REPORTS } from "@/lib/contract/reports";
import analyticsCommerce from "@/lib/operations/analytics.commerce";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Commerce"),
  about: REPORTS.commerce.about,
  op: analyticsCommerce,
  sheets: commerceSheets,
  says: commerceSays,
  attributed: () => true,
  above: () => <AttributionChoice />,
  async body({ answer, sheets, site }) {
    const { CommerceReport } = await import("@/components/reports/commerce/body");
    return <CommerceReport answer={answer} sheets={sheets} currency={site.reporting_currency} />;
  },
});
