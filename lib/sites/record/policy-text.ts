import { DAY_SALT_HOURS } from "@/lib/contract/storage-times";
import type { SiteData } from "@/lib/sites/record/stored-fields";
import { describeRetentionMonths } from "@/lib/sites/retention-text";

/** What a site says about itself in the text. */
export interface PolicySite extends SiteData {
  /** As its visitors read it. */
  domain: string;
  /** Address of the service that counts. */
  service: string;
}

const PLACES = {
  city: "the country, region and city of your IP address",
  region: "the country and region of your IP address",
  country: "the country of your IP address",
  none: null,
} as const;

/**
 * Returns a text about the statistics for the privacy policy of a site, by its settings, in paragraphs. What only the
 * owner knows is in square brackets.
 */
export function policyText(site: PolicySite): string {
  const { domain, service, anonymise_ip: truncates, geo_precision: precision } = site;
  const place = PLACES[precision];
  const seen = [
    "the address and title of the page",
    "the page that linked to it",
    "campaign parameters of its address",
    "browser, operating system and kind of device",
    "the width of the window",
    "the language of the browser",
    ...(place ? [place] : []),
    "the time",
    "how long the page was read and how far it was scrolled",
  ];
  return [
    "Statistics about the use of our site",
    `We count how ${domain} is used with Footfall, a web analytics service at ${service} [that we run ourselves / that NAME runs for us under a data-processing agreement]. It sets no cookies and does not follow you to other sites. We use the numbers to improve our site.`,
    `Of each page that you open, these are recorded: ${listed(seen)}. [Also events such as sign-ups, orders or downloads, with: …]`,
    `${truncates ? "The last part of your IP address is removed first. What is left" : "Your IP address"} is used ${place ? "to look up the location and " : ""}to tell visitors apart, and is not stored. To count you once a day, a pseudonym is computed from it, the name of your browser and a random number that changes each day and is deleted after ${DAY_SALT_HOURS} hours at the latest. From then on, nobody can compute the pseudonym again.`,
    ...(site.retention_salt
      ? [
          "To count how many visitors return, a second pseudonym is made with a random number that is deleted at the end of each month. It is stored with the days of your visits in that month, not with the pages that you opened.",
        ]
      : []),
    ...(site.user_ids
      ? [
          "If you are signed in, a pseudonym of your user account is recorded too, which recognises you on other days and devices. [Say why, and on which legal basis.]",
        ]
      : []),
    ...(site.public ? [`The sums, such as visitors for each page, are public at ${service}/share/${domain}.`] : []),
    site.retention_months === null
      ? "[The data is kept without a fixed limit. Set one, or say by which criteria you delete it.]"
      : `The data is deleted after ${describeRetentionMonths(site.retention_months)}.`,
    site.honour_gpc
      ? "If your browser sends Global Privacy Control or Do Not Track, your visits are not counted. [To object in another way: a link or button that calls footfall.optOut(). The browser then stores this choice.]"
      : "[To object: a link or button that calls footfall.optOut(). The browser then stores this choice.]",
    "[Legal basis, such as art. 6(1)(f) GDPR: our interest in knowing how our site is used. The rights of visitors, the controller and how to reach them are in the rest of your policy.]",
  ].join("\n\n");
}

const listed = (items: readonly string[]): string => `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
