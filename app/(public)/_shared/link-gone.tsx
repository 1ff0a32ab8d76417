import { Message } from "@/components/shell/message";
import { t } from "@/lib/texts/translate";

/** Contains no links: in a frame of another site they would open pages that must not be framed. */
export const LinkGone = () => (
  <main id="content">
    <Message title={t("This link no longer works")}>
      <p>{t("It was revoked, has expired or is incomplete. Ask the person who sent it for a new one.")}</p>
    </Message>
  </main>
);
