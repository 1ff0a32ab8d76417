import type { Metadata } from "next";
import { DocsArticle } from "@/components/docs/article";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { measurementProtocol } from "@/lib/publish/articles/measurement-protocol";

export const metadata: Metadata = { title: "Measurement Protocol" };

export default function MeasurementProtocolDocs() {
  return <DocsArticle article={measurementProtocol(PLACEHOLDER_ORIGIN)} />;
}
