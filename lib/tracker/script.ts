import { startFromTag } from "@/lib/tracker/start";

/**
 * The browser script, served at /script.js. Counts the pages that are shown, in documents and in single-page
 * applications, and how long and how far they are read. Sets no cookie, stores nothing of its own accord, and never
 * throws into the page that carries it. `full.ts` also notices what people do on a page.
 *
 * `<script defer data-domain="example.com" src="…/script.js"></script>`, with, if wanted, `data-api` (where events
 * go), `data-hash` (the route stands behind the #), `data-manual` (pageviews only by `footfall("pageview")`) and `data-user`
 * (pseudonymous id of who is signed in).
 */
startFromTag();
