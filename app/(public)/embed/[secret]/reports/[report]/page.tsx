import { LinkPage, type LinkPageProps, linkMetadata } from "@/app/(public)/_shared/link-page";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

export const generateMetadata = linkMetadata;

/** A report of a private link, for frames on other sites. */
const EmbeddedReportPage = (props: LinkPageProps) => <LinkPage {...props} embedded={true} />;
export default EmbeddedReportPage;
