import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { proxies } from "@/lib/publish/articles/proxies";

export const metadata: Metadata = { title: "Proxies" };

export default function ProxiesDocs() {
  return <DocsArticle article={proxies} />;
}
