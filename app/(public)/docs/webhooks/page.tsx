import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { webhooks } from "@/lib/publish/articles/webhooks";

export const metadata: Metadata = { title: "Webhooks" };

export default function WebhooksDocs() {
  return <DocsArticle article={webhooks} />;
}
