import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { agents } from "@/lib/publish/articles/agents";

export const metadata: Metadata = { title: "Agents" };

export default function AgentsDocs() {
  return <DocsArticle article={agents} />;
}
