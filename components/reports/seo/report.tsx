import { defineReport } from "@/components/reports/definition";
import { seoSheets } from "@/components/reports/seo/sheets";
import analyticsSeo from "@/lib/operations/analytics.seo";

export default defineReport({
  title: "Search engines and AI assistants",
  op: analyticsSeo,
  sheets: seoSheets,
  async body({ answer, sheets, site }) {
    const { SeoReport } = await import("@/components/reports/seo/body");
    return <SeoReport answer={answer} sheets={sheets} mayConnect={site.role === "owner"} />;
  },
});
