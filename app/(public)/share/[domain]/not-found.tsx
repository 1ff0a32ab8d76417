import { Message } from "@/components/shell/message";
import { t } from "@/lib/texts/translate";

/** Contains no links: in a frame of another site they would open pages that must not be framed. */
const NoSharedSite = () => (
  <main id="content">
    <Message over="404" title={t("There is no public dashboard here")}>
      <p>{t("The dashboard is private, or the URL is wrong.")}</p>
    </Message>
  </main>
);

export default NoSharedSite;
