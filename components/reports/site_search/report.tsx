import { defineReport } from "@/components/reports/definition";
import { searchSays } from "@/components/reports/site_search/says";
import { searchSheets } from "@/components/reports/site_search/sheets";
import { REPORTS } from "@/lib/contract/reports";
import analyticsSiteSearch from "@/lib/operations/analytics.site_search";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Site search"),
  about: REPORTS.site_search.about,
  op: analyticsSiteSearch,
  sheets: searchSheets,
  says: searchSays,
  async body({ answer, sheets, query: { term } }) {
    const { SearchReport } = await import("@/components/reports/site_search/body");
    return <SearchReport answer={answer} sheets={sheets} term={typeof term === "string" ? term : null} />;
  },
});
