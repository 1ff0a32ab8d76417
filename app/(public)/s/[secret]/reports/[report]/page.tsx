import { LinkPage, type LinkPageProps, linkMetadata } from "@/app/(public)/_shared/link-page";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

export const generateMetadata = linkMetadata;

/** A report of a private link. */
const LinkReportPage = (props: LinkPageProps) => <LinkPage {...props} embedded={false} />;
export default LinkReportPage;
