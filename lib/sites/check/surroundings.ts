import type { Html } from "@/lib/platform/outbound/html";
import type { Framework } from "@/lib/sites/installation";

/** What else stands on a page, as far as it decides how the snippet gets there and when it runs. */
export interface Surroundings {
  /** How the site seems to be built; null when nothing tells. */
  framework: Framework | null;
  /** The ids of its Tag Manager containers; one without an id is ''. */
  containers: string[];
  /** What asks visitors before scripts may run, by name. */
  consent: string | null;
  /** Whether the page loads scripts of its own: any of them may load the snippet. */
  hasScripts: boolean;
}

/** By what consent managers are known on a page. */
const CONSENT_MANAGERS: [name: string, mark: RegExp][] = [
  ["OneTrust", /cookielaw\.org|otSDKStub|optanon/i],
  ["Cookiebot", /consent\.cookiebot\.(com|eu)/i],
  ["Usercentrics", /usercentrics\.eu|uc-block/i],
  ["Didomi", /sdk\.privacy-center\.org/i],
  ["CookieYes", /cdn-cookieyes\.com|cookie-law-info/i],
  ["Complianz", /complianz/i],
  ["Borlabs Cookie", /borlabs-cookie/i],
  ["iubenda", /iubenda\.com/i],
  ["Klaro", /klaro(-no-css)?(\.min)?\.js/i],
  ["Axeptio", /axept\.io/i],
  ["TrustArc", /consent\.trustarc\.com/i],
];

/** The first mark that fits decides: a shop's theme may well be written in Vue. */
const FRAMEWORK_MARKS: [framework: Framework, mark: RegExp][] = [
  ["shopify", /cdn\.shopify\.com|Shopify\.theme/],
  ["wordpress", /\/wp-(content|includes)\/|^WordPress/m],
  ["nextjs", /\/_next\/static\//],
  ["laravel", /\/build\/assets\/app-|livewire(\.min)?\.js|@inertiajs|window\.Laravel\b/],
  ["vue", /\/_nuxt\/|__NUXT__|\/vue(\.global)?(\.prod)?\.js|data-v-app/],
  ["react", /\/assets\/index-[\w-]{8}\.js|react(-dom)?(\.production)?(\.min)?\.js/],
];
const LARAVEL_COOKIE = /(^|[\s,;])(laravel[_-]session|XSRF-TOKEN)=/i;

/** @param cookies what the page sets. */
export function surroundingsOf(html: Html, cookies: string): Surroundings {
  const scripts = html.tags.filter(({ name, inert }) => name === "script" && !inert);
  const words = html.tags
    .flatMap(({ attributes, text, name }) => [...attributes.values(), name === "script" ? text : ""])
    .join("\n");
  const framework = FRAMEWORK_MARKS.find(([, mark]) => mark.test(words))?.[0];
  return {
    framework: framework ?? (LARAVEL_COOKIE.test(cookies) ? "laravel" : null),
    containers: containersIn(words),
    consent: CONSENT_MANAGERS.find(([, mark]) => mark.test(words))?.[0] ?? null,
    hasScripts: scripts.some(({ attributes }) => attributes.has("src")),
  };
}

function containersIn(words: string): string[] {
  if (!/googletagmanager\.com\/gtm\.js/.test(words)) return [];
  const ids = [...words.matchAll(/\bGTM-[A-Z0-9]{4,12}\b/g)].map(([id]) => id);
  return ids.length > 0 ? [...new Set(ids)].slice(0, 5) : [""];
}
