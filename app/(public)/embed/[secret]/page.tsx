import { LinkPage, type LinkPageProps, linkMetadata } from "../../_shared/link-page";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

export const generateMetadata = linkMetadata;

/** The dashboard of a private link, for frames on other sites. */
const EmbeddedDashboardPage = (props: LinkPageProps) => <LinkPage {...props} embedded={true} />;
export default EmbeddedDashboardPage;
