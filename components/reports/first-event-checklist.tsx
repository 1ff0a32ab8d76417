"use client";

import { rich } from "@/components/ui/rich";
import { t } from "@/lib/texts/translate";

interface Props {
  domain: string;
  /** Whether the site is a local trial, whose port is unknown. */
  isLocal: boolean;
  /** Where the installation can be tested, on the same page; null for who cannot. */
  test: string | null;
}

/** What to check when the first event does not arrive. */
export function Checklist({ domain, isLocal, test }: Props) {
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{t("No events yet?")}</h3>
      {test && (
        <p className="mt-1.5 text-sm">
          {rich(
            "<link>Test the installation</link> below: it opens your page and says what is wrong. Or check the following:",
            {
              link: (text) => (
                <a href={test} className="text-accent underline underline-offset-2">
                  {text}
                </a>
              ),
            },
          )}
        </p>
      )}
      <ul className="mt-1.5 list-disc space-y-1 pl-5 text-sm text-muted">
        <li>{t("The delivered page contains the snippet: view the page source and search for “script.js”.")}</li>
        <li>
          {isLocal
            ? t("The page is on {domain} or a subdomain, in a browser on this machine.", { domain })
            : t(
                "The page is on {domain} or a subdomain, not on a preview URL; on localhost only if General settings count its pages.",
                { domain },
              )}
        </li>
        <li>{t("Caches and CDNs in front of the site serve the page with the snippet: purge them if they do not.")}</li>
        <li>{t("Your ad blocker is off, and your browser does not send “Global Privacy Control”.")}</li>
        <li>{t("The site’s Content-Security-Policy allows this server in script-src and connect-src.")}</li>
      </ul>
    </div>
  );
}
