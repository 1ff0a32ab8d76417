import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { measurementProtocol } from "@/lib/publish/articles/measurement-protocol";

export const metadata: Metadata = { title: "Measurement Protocol" };

export default function MeasurementProtocolDocs() {
  return <DocsArticle article={measurementProtocol} />;
}
