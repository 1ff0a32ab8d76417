import { LinkPage, type LinkPageProps, linkMetadata } from "../../_shared/link-page";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

export const generateMetadata = linkMetadata;

/** The dashboard of a private link. */
const LinkDashboardPage = (props: LinkPageProps) => <LinkPage {...props} embedded={false} />;
export default LinkDashboardPage;
