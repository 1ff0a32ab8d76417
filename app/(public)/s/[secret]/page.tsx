import type { Metadata } from "next";
import type { SearchParams } from "@/components/reports/view";
import { LinkPage, linkMetadata } from "../../_shared/link-page";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

interface Props {
  params: Promise<{ secret: string }>;
  searchParams: Promise<SearchParams>;
}

export const generateMetadata = async ({ params }: Props): Promise<Metadata> => linkMetadata((await params).secret);

/** The dashboard of a private link. */
export default async function LinkDashboardPage({ params, searchParams }: Props) {
  const { secret } = await params;
  return <LinkPage secret={secret} query={await searchParams} report={null} embedded={false} />;
}
