import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { OperationDocs } from "@/components/docs/operation";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { DocsPage, InlineText } from "@/components/docs/prose";
import { OPERATIONS } from "@/lib/operations/index";

interface Props {
  params: Promise<{ operation: string }>;
}

/** Unknown operations are 404 without a render. */
export const dynamicParams = false;

export const generateStaticParams = () => [...OPERATIONS.keys()].map((operation) => ({ operation }));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: (await params).operation };
}

/** One operation of the API. */
export default async function OperationPage({ params }: Props) {
  const op = OPERATIONS.get((await params).operation);
  if (!op) notFound();
  return (
    <>
      <p className="mb-3 text-sm">
        <a href={`/docs/api#${op.id}`} className="text-accent underline underline-offset-2">
          API reference
        </a>
      </p>
      <DocsPage title={op.title} lead={<InlineText>{op.about}</InlineText>}>
        <OperationDocs op={op} baseUrl={PLACEHOLDER_ORIGIN} />
      </DocsPage>
    </>
  );
}
