import { defineReport } from "@/components/reports/definition";
import { seoSays } from "@/components/reports/seo/says";
import { seoSheets } from "@/components/reports/seo/sheets";
import analyticsSeo from "@/lib/operations/analytics.seo";
import { msg } from "@/lib/texts/translate";

export default defineReport({
  title: msg("Search engines and AI assistants"),
  op: analyticsSeo,
  sheets: seoSheets,
  says: seoSays,
  async body({ answer, sheets, site }) {
    const { SeoReport } = await import("@/components/reports/seo/body");
    return <SeoReport answer={answer} sheets={sheets} mayConnect={site.role === "owner"} />;
  },
});
