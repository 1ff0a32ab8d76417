import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { eventsApi } from "@/lib/publish/articles/events-api";

export const metadata: Metadata = { title: "Events API" };

export default function EventsApiDocs() {
  return <DocsArticle article={eventsApi} />;
}
