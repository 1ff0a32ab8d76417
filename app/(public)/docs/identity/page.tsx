import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { identity } from "@/lib/publish/articles/identity";

export const metadata: Metadata = { title: "Identity and OAuth" };

export default function IdentityDocs() {
  return <DocsArticle article={identity} />;
}
