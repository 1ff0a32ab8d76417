import { DAY_SALT_HOURS } from "@/lib/contract/storage-times";
import { type Article, code, list, part, terms, text } from "@/lib/publish/articles/article";
import { policyText } from "@/lib/sites/record/policy-text";
import { NEVER_STORED, type SiteData } from "@/lib/sites/record/stored-fields";

/** A new site. */
const DEFAULTS: SiteData = {
  anonymise_ip: false,
  geo_precision: "city",
  honour_gpc: true,
  retention_salt: false,
  retention_months: null,
  public: false,
  user_ids: false,
};

const SHORT: [string, string][] = [
  ["on the device", "Nothing is stored, except when a visitor or you opt out of counting in that browser."],
  [
    "in memory",
    "The IP address, while an event is processed and up to a minute after it. Behind a proxy that the operator has not configured, the proxy's address up to two hours.",
  ],
  [
    "for two days at most",
    `The random salt of a day. It is deleted within ${DAY_SALT_HOURS} hours, and with it the way from a person to the pseudonym.`,
  ],
  [
    "outside of Footfall",
    "A proxy, a CDN or the hosting in front of the service may write access logs of its own. Backups hold what was stored when they were made.",
  ],
  [
    "as long as you choose",
    "Events and visits with a pseudonym of the day, page, source, location, browser and what your pages send.",
  ],
];

const SOURCES: [string, string][] = [
  [
    "ePrivacy Directive, art. 5(3)",
    "Storing information on a device, or reading what is stored there, needs consent, unless it only transmits a message or is strictly necessary for a service that the user asked for. Each country has put it into its own law. [Directive 2002/58/EC](https://eur-lex.europa.eu/eli/dir/2002/58/2009-12-19)",
  ],
  [
    "EDPB, Guidelines 2/2023",
    "The European data protection authorities read “gaining access” widely: it can include a script that makes the browser send information, and an IP address that comes from the device. Adopted on 7 October 2024, version 2. [Guidelines](https://www.edpb.europa.eu/our-work-tools/our-documents/guidelines/guidelines-22023-technical-scope-art-53-eprivacy-directive_en)",
  ],
  [
    "France: CNIL",
    "Audience measurement needs no consent if it serves the publisher alone, yields only anonymous statistics, follows nobody to other sites, and is neither combined with other data nor passed on. It recommends to inform visitors, to offer an objection, and to keep data at most 25 months; restated on 4 July 2025. [CNIL](https://www.cnil.fr/fr/cookies-solutions-pour-les-outils-de-mesure-daudience)",
  ],
  [
    "United Kingdom: PECR",
    "Since 5 February 2026, schedule A1 has an exception for statistics about how a service is used, in order to improve it: if visitors get clear information and a simple, free way to object, and the information is passed on only to those who help with that. [Data (Use and Access) Act 2025, section 112](https://www.legislation.gov.uk/ukpga/2025/18/section/112)",
  ],
  [
    "Germany: section 25 TDDDG",
    "It repeats art. 5(3) and names no exception for statistics. [TDDDG](https://www.gesetze-im-internet.de/ttdsg/__25.html)",
  ],
  [
    "GDPR, recitals 26 and 30",
    "Pseudonymous data is personal data while somebody can reasonably find the person; anonymous data is not. IP addresses and other online identifiers can identify people. [Regulation (EU) 2016/679](https://eur-lex.europa.eu/eli/reg/2016/679/oj)",
  ],
  [
    "GDPR, art. 6, 13 and 21",
    "Processing needs a legal basis, such as a legitimate interest, and visitors must be told and may object. None of these asks for a banner by itself.",
  ],
];

const MIGHT: [string, string][] = [
  ["user ids", "An id of a signed-in user recognises people on other days. Say so, and check its legal basis."],
  [
    "returning visitors",
    "The salt of a month recognises visitors for up to a month instead of a day. It is off unless you turn it on.",
  ],
  [
    "what your pages send",
    "Properties, titles and paths are yours. Known kinds of personal data are replaced, but not everything that can identify somebody.",
  ],
  ["other purposes", "Advertising, profiles, or a combination with a customer file go beyond statistics."],
  [
    "narrow laws",
    "Where the law or its authority follows the wide reading of art. 5(3) without an exception for statistics.",
  ],
  [
    "other tools",
    "This page is about Footfall alone. A video, a font or an advertisement on the same page may need consent.",
  ],
];

export const privacyArticle = (base: string): Article => ({
  slug: "privacy",
  title: "Privacy",
  lead: "What is kept of your visitors, what is never stored, and what the law says about banners.",
  index: "what is never stored, facts about consent with sources, text for a privacy policy",
  parts: [
    part("short", "In short", terms(SHORT), text("[Stored data](/docs/stored-data) lists every field.")),
    part("never", "What is never stored", list(...NEVER_STORED)),
    part(
      "settings",
      "What you can choose",
      text(
        "Under Settings, Privacy: whether IP addresses are shortened before anything is derived from them, how precise locations are, whether browsers with Global Privacy Control or Do Not Track are left out (they are, unless you turn it off), and whether returning visitors are recognised within a month (they are not, unless you turn it on). Under Settings, Data: after how many months events are deleted. The record of a site, also there, says what its settings mean; agents read it by `sites.privacy.record`.",
      ),
      text(
        "A visitor opts out by a button of yours that calls `footfall.optOut()`. Only then does the script write to the browser's storage; otherwise it looks there for this one choice and reads nothing else.",
      ),
    ),
    part(
      "banner",
      "Is a banner needed?",
      text(
        "These are facts with their sources, not legal advice. Your own case, country and the rest of your site decide.",
      ),
      text(
        "Why many sites show none: the script sets no cookie and stores no identifier on the device, so visitors cannot be recognised by what is on it. It sends what every request has (IP address and user agent) and what the page itself knows: its address, title, the page before, the language, the width of the window, and how long it was read; [Tracker](/docs/tracker#sent) lists every field. A pseudonym lasts one day and is of one site. The numbers are for you alone.",
      ),
      terms(SOURCES),
    ),
    part("might", "Where consent might be needed", terms(MIGHT)),
    part(
      "policy",
      "Text for your privacy policy",
      text(
        "This is the text for a new site. Settings, Privacy shows it with your domain and your settings. What only you know is in square brackets.",
      ),
      code("the text", policyText({ ...DEFAULTS, domain: "example.com", service: base }), "text"),
      text(
        "If somebody else runs the service for you, you need an agreement with them: [Data processing](/docs/data-processing).",
      ),
    ),
  ],
});
