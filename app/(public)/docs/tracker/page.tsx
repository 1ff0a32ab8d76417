import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { SentFields } from "@/components/docs/sent-fields";
import { guidesFor } from "@/components/reports/guides";
import { SnippetTabs } from "@/components/reports/snippet-tabs";
import { tracker } from "@/lib/publish/articles/tracker";

export const metadata: Metadata = { title: "Tracker" };

const SLOTS = {
  snippets: <SnippetTabs guides={guidesFor(PLACEHOLDER_ORIGIN, "example.com")} />,
  sent: <SentFields />,
};

export default function TrackerDocs() {
  return <DocsArticle article={tracker} slots={SLOTS} />;
}
