import type { Html } from "@/lib/platform/outbound/html";
import type { Framework } from "@/lib/sites/installation";

/** What else is on a page that affects how the snippet is installed and when it runs. */
export interface Surroundings {
  /** Detected framework; null if unknown. */
  framework: Framework | null;
  /** Ids of Google Tag Manager containers; an empty string for one without an id. */
  containers: string[];
  /** Name of the consent manager; null if none was detected. */
  consent: string | null;
  /** Whether the page loads external scripts, any of which may load the snippet. */
  hasScripts: boolean;
}

/** Consent managers and how they are recognised. */
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

/** In order of precedence: a Shopify theme, for example, may use Vue. */
const FRAMEWORK_MARKS: [framework: Framework, mark: RegExp][] = [
  ["shopify", /cdn\.shopify\.com|Shopify\.theme/],
  ["wordpress", /\/wp-(content|includes)\/|^WordPress/m],
  ["nextjs", /\/_next\/static\//],
  ["laravel", /\/build\/assets\/app-|livewire(\.min)?\.js|@inertiajs|window\.Laravel\b/],
  ["vue", /\/_nuxt\/|__NUXT__|\/vue(\.global)?(\.prod)?\.js|data-v-app/],
  ["react", /\/assets\/index-[\w-]{8}\.js|react(-dom)?(\.production)?(\.min)?\.js/],
];
const LARAVEL_COOKIE = /(^|[\s,;])(laravel[_-]session|XSRF-TOKEN)=/i;

/** Detects the framework, tag managers and consent managers of a page. @param cookies its Set-Cookie headers */
export function surroundingsOf(html: Html, cookies: string): Surroundings {
  const scripts = html.tags.filter(({ name, inert }) => name === "script" && !inert);
  const text = html.tags
    .flatMap((tag) => [...tag.attributes.values(), tag.name === "script" ? tag.text : ""])
    .join("\n");
  const framework = FRAMEWORK_MARKS.find(([, mark]) => mark.test(text))?.[0];
  return {
    framework: framework ?? (LARAVEL_COOKIE.test(cookies) ? "laravel" : null),
    containers: containersIn(text),
    consent: CONSENT_MANAGERS.find(([, mark]) => mark.test(text))?.[0] ?? null,
    hasScripts: scripts.some(({ attributes }) => attributes.has("src")),
  };
}

function containersIn(text: string): string[] {
  if (!/googletagmanager\.com\/gtm\.js/.test(text)) return [];
  const ids = [...text.matchAll(/\bGTM-[A-Z0-9]{4,12}\b/g)].map(([id]) => id);
  return ids.length > 0 ? [...new Set(ids)].slice(0, 5) : [""];
}
