import { TextLink } from "@/components/ui/text-link";
import { legibleHost } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";

interface Props {
  /** Addresses of the first page, null on it, and of the next one, null on the last. */
  newest: string | null;
  older: string | null;
}

/** Links to the other pages of a log; renders nothing for a single page. */
export function LogPages({ newest, older }: Props) {
  if (newest === null && older === null) return null;
  return (
    <nav aria-label={t("Pages of the log")} className="flex justify-between border-t border-line pt-3 text-sm">
      {newest === null ? <span /> : <TextLink href={newest}>{t("Newest")}</TextLink>}
      {older !== null && <TextLink href={older}>{t("Older")}</TextLink>}
    </nav>
  );
}

/** The site of an entry of a log, after its title. @param domain null for a site that is deleted */
export const OnSite = ({ domain }: { domain: string | null }) => (
  <span className="text-muted">
    {" "}
    {domain ? t("on {site}", { site: legibleHost(domain) }) : t("on a site that is deleted")}
  </span>
);
