import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { ownDomain } from "@/lib/publish/articles/own-domain";

export const metadata: Metadata = { title: "Own domain" };

export default function OwnDomainDocs() {
  return <DocsArticle article={ownDomain} />;
}
