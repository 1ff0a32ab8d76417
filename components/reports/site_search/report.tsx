import { defineReport } from "@/components/reports/definition";
import { searchSays } from "@/components/reports/site_search/says";
import { searchSheets } from "@/components/reports/site_search/sheets";
import analyticsSiteSearch from "@/lib/operations/analytics.site_search";

export default defineReport({
  op: analyticsSiteSearch,
  sheets: searchSheets,
  says: searchSays,
  async body({ answer, sheets, query: { term } }) {
    const { SearchReport } = await import("@/components/reports/site_search/body");
    return <SearchReport answer={answer} sheets={sheets} term={typeof term === "string" ? term : null} />;
  },
});
