import { type Article, code, part, slot, terms, text } from "@/lib/publish/articles/article";
import { SENT_FIELDS } from "@/lib/publish/sent-fields";

const ATTRIBUTES: [string, string][] = [
  ["data-domain", "The domain of the site. Required."],
  ["data-hash", "Routes after the # count as pages, up to a question mark in them."],
  [
    "data-query",
    "The query parameters that make a page, separated by commas: `p,page_id` counts /?p=12 and /?p=13 as two pages, also when a router changes them. It comes before the list in the site's settings, which needs no attribute.",
  ],
  ["data-manual", 'Counts nothing automatically; call `footfall("pageview")` for each page.'],
  [
    "data-frames",
    "`off` counts nothing in frames of other pages. Without it, a page in a frame is a pageview of its own.",
  ],
  ["data-user", "Your own pseudonymous id of the signed-in user, if the page knows it when it loads."],
  ["data-api", "Another URL for events, such as one on your own domain that forwards them."],
];

const AUTOMATIC: [string, string][] = [
  ["Outbound Link: Click", "A click on a link to another site, with its `url` up to the question mark. Off: `links`."],
  ["File Download", "A click on a link to a file, with its `url`. Off: `links`."],
  ["Form: Submission", "A valid form was submitted, with its id or name as `form`. Off: `forms`."],
  ["404", "The page has an element with `data-404`, or the tag has it. Does not end a bounce. Off: `404`."],
  ["Search", "The URL has a new `q`, `s`, `search` or `query`, sent as `term`. Off: `search`."],
  ["vitals", "LCP, INP, CLS, FCP and TTFB of each page, sent when the page is hidden. Off: `vitals`."],
];

const FULL_ATTRIBUTES: [string, string][] = [
  ["data-off", "What to turn off, separated by spaces: `forms vitals`."],
  ["data-search", "The query parameters of your search, separated by spaces, instead of the four above."],
];

const TAGGED = `<button data-footfall-event="Plan chosen" data-footfall-plan="pro">Choose</button>

<button data-footfall-event="purchase" data-footfall-revenue="49.00" data-footfall-currency="EUR">Buy</button>`;

const EXPERIMENT = `footfall.exposure("checkout", "b");`;

const moduleCode = (base: string) => `import { start } from "${base}/footfall.mjs";

const footfall = start({ domain: "example.com", api: "${base}/api/event" });
footfall("Signup");`;

const EVENT = `footfall("Signup", { props: { plan: "pro" } });

footfall("purchase", { props: { order_id: "2026-000042" }, revenue: { amount: "49.00", currency: "EUR" } });`;

const IDENTIFY = `footfall("identify", { user_id: "u-1042" });`;

const hintHeaders = (base: string) => `Accept-CH: Sec-CH-UA-Platform-Version
Permissions-Policy: ch-ua-platform-version=(self "${base}")`;

const EARLY = `<script>
  window.footfall = window.footfall || function () { (footfall.q = footfall.q || []).push(arguments) };
</script>`;

export const trackerArticle = (base: string): Article => ({
  slug: "tracker",
  title: "Tracker",
  lead: "One line counts the pages of a site. It sets no cookies and stores nothing on a visitor's device.",
  index: "the script tag for pages, its options, custom events, revenue, users, experiments",
  forAgents: true,
  parts: [
    part(
      "install",
      "Install",
      text("Add the site, then put this line into its pages, with your domain instead of example.com."),
      slot(
        "snippets",
        code("the snippet", `<script defer src="${base}/script.js" data-domain="example.com"></script>`, "html"),
        text(
          "`sites.installation` returns the steps for Laravel, React, Next.js, Vue, WordPress, Shopify and Google Tag Manager. With `automatic`, `hash_routes` and `search_parameters`, the snippet has the options below.",
        ),
      ),
      text("Open a page of the site. The dashboard shows the first event within seconds."),
      text(
        "To try the tracker of a public site on your own machine, turn on `Count pages on localhost` in its settings under General: pages on `localhost`, names below it and `127.0.0.1` are then counted with that hostname, by which every report can leave them out.",
      ),
      text(
        "For a trial without a public site, add `localhost` or `127.0.0.1` as the site: its pages are counted on any port. Such a local trial needs a server whose own address is on the same machine, cannot be verified, and is one site for each name; browsers open `shop.localhost` and every other name below `localhost` on the same machine too. Visitors of a public site need a server with a public address.",
      ),
    ),
    part("options", "Options", text("Attributes of the tag:"), terms(ATTRIBUTES)),
    part(
      "events",
      "Custom events",
      text(
        "`footfall` takes a name and details. An event ends a bounce, unless it has `interactive: false`. An event named `purchase` is an order; see [Orders and revenue](/docs/events-api#orders).",
      ),
      code("the events", EVENT, "js"),
      text("To call it before the script has loaded, put this before the tag:"),
      code("the queue", EARLY, "html"),
    ),
    part(
      "people",
      "Signed-in users",
      text(
        "Identify a signed-in user by your own id, which must not be an email address or a name. It is stored only as a hash that no other site shares, and recognises the user on other days and devices.",
      ),
      code("the identification", IDENTIFY, "js"),
      text(
        "From then on, every event of this page carries the id, until an event with `{ user_id: null }` removes it. The browser does not store it, so every page must set it again: with this call, or with `data-user` in the tag, which also covers the first pageview. The running visit continues, and `identify` itself does not count as an event.",
      ),
    ),
    part(
      "full",
      "The full tracker",
      text(
        "With `script.full.js` instead of `script.js`, the same tag also counts these events. The installation page of a site writes the tag for what you tick.",
      ),
      terms(AUTOMATIC),
      text(
        "Web vitals cover the whole page view. The page sends them each time it is hidden, with the same `view`; reports use the last values of each view. Percentiles are over page views.",
      ),
      text(
        "Both trackers also send events when the page is closed. While the page is open, they send offline events once the network is back, and repeat events after Retry-After if the server was busy. Each event has its own `event_id`, so a repeated event counts once; the server remembers these ids for eight days, and a page retries for less than seven.",
      ),
      terms(FULL_ATTRIBUTES),
      text("Any element, including links and forms, can send an event with an attribute:"),
      code("the tagged elements", TAGGED, "html"),
      text("Report which variant of an experiment a visitor saw:"),
      code("the exposure", EXPERIMENT, "js"),
    ),
    part(
      "module",
      "As a module",
      text(
        "The full tracker without a tag. Its types are in `footfall.d.mts`. Copy both files into your project, or import the module from here:",
      ),
      code("the module", moduleCode(base), "js"),
    ),
    part(
      "sent",
      "What is sent",
      slot(
        "sent",
        text(
          `The full tracker sends: ${SENT_FIELDS.flatMap(({ ours }) => ours.map((name) => `\`${name}\``)).join(", ")}.`,
        ),
        text("[Tracker](/docs/tracker#sent) compares each field with the trackers of Plausible and Umami."),
      ),
    ),
    part(
      "hints",
      "Versions of operating systems",
      text(
        "Chromium browsers no longer send the version of the operating system in the user agent: Windows 11 looks like 10, and every Mac and Android device like the same old one. They send it if the site asks for it. Let your pages, served over HTTPS, send these headers. If the script comes from your own domain, the first one is enough.",
      ),
      code("the headers", hintHeaders(base), "http"),
      text(
        "No other hints are useful: browsers send brand, main version and platform anyway, and finer versions are not stored.",
      ),
    ),
    part(
      "opt-out",
      "Exclude yourself",
      text(
        "Open a page of the site with `?footfall=ignore` once in each browser: your events are then filtered, and counted as your own under Exclusions. `?footfall=count` undoes it.",
      ),
      text(
        "To send nothing at all, run `footfall.optOut()` in the console of a page, once in each browser; `footfall.optIn()` undoes it.",
      ),
    ),
  ],
});
