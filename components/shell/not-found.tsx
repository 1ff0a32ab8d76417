import { Message } from "@/components/shell/message";
import { ButtonLink } from "@/components/ui/button-link";
import { t } from "@/lib/texts/translate";

/** The 404 page. It is the same for missing pages and pages of other users, so that it reveals nothing. */
export const NotFound = () => (
  <Message over="404" title={t("Page not found")}>
    <p>{t("This page does not exist, or you do not have access to it.")}</p>
    <ButtonLink href="/sites">{t("Your sites")}</ButtonLink>
  </Message>
);
