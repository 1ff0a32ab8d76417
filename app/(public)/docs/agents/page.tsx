import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { agents } from "@/lib/publish/articles/agents";

export const metadata: Metadata = { title: "Agents" };

export default function AgentsDocs() {
  return <DocsArticle article={agents(PLACEHOLDER_ORIGIN)} />;
}
