import { ButtonLink } from "@/components/ui/button";
import { t } from "@/lib/texts/translate";

/** What the pages of a site show while an administrator of the service has disabled it. */
export const DisabledSite = ({ domain }: { domain: string }) => (
  <div className="card mx-auto mt-10 max-w-xl px-6 py-8 text-center">
    <h1 className="text-xl font-semibold break-words">{t("{domain} is disabled", { domain })}</h1>
    <p className="mt-2 text-muted">
      {t(
        "An administrator of this service has disabled this site. It takes no events, and its pages, reports and links are closed. Nothing was deleted: ask the administrator to enable it again. An agent can export its data meanwhile.",
      )}
    </p>
    <ButtonLink href="/sites" className="mt-5">
      {t("Your sites")}
    </ButtonLink>
  </div>
);
