import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { exportAndImport } from "@/lib/publish/articles/export";

export const metadata: Metadata = { title: "Export and import" };

export default function ExportDocs() {
  return <DocsArticle article={exportAndImport} />;
}
