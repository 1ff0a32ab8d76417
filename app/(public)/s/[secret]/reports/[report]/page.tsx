import type { Metadata } from "next";
import type { SearchParams } from "@/components/reports/view";
import { LinkPage, linkMetadata } from "../../../../_shared/link-page";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

interface Props {
  params: Promise<{ secret: string; report: string }>;
  searchParams: Promise<SearchParams>;
}

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => linkMetadata((await params).secret);

/** A report of a private link. */
export default async function LinkReportPage({ params, searchParams }: Props) {
  const { secret, report } = await params;
  return <LinkPage secret={secret} query={await searchParams} report={report} embedded={false} />;
}
