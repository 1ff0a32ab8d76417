import { Message } from "@/components/shell/message";

/** In a frame of anyone's it leads nowhere: a link within the app would bring a page into it that may not be framed. */
const NoSharedSite = () => (
  <main id="content">
    <Message over="404" title="There is no public dashboard here">
      <p>Its owner shows it to nobody, or the address is wrong.</p>
    </Message>
  </main>
);

export default NoSharedSite;
