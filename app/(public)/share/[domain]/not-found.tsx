import { Message } from "@/components/shell/message";

/** Contains no links: in a frame of another site they would open pages that must not be framed. */
const NoSharedSite = () => (
  <main id="content">
    <Message over="404" title="There is no public dashboard here">
      <p>The dashboard is private, or the URL is wrong.</p>
    </Message>
  </main>
);

export default NoSharedSite;
