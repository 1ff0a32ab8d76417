import { defineReport } from "@/components/reports/definition";
import { searchSheets } from "@/components/reports/site_search/sheets";
import analyticsSiteSearch from "@/lib/operations/analytics.site_search";

export default defineReport({
  title: "Site search",
  op: analyticsSiteSearch,
  sheets: searchSheets,
  async body({ answer, sheets }) {
    const { SearchReport } = await import("@/components/reports/site_search/body");
    return <SearchReport answer={answer} sheets={sheets} />;
  },
});
