import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { identity } from "@/lib/publish/articles/identity";

export const metadata: Metadata = { title: "Identity and OAuth" };

export default function IdentityDocs() {
  return <DocsArticle article={identity(PLACEHOLDER_ORIGIN)} />;
}
