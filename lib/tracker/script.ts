import { startFromTag } from "@/lib/tracker/start";

/**
 * The browser script, served at /script.js. Tracks pageviews in documents and single-page applications, with engagement
 * time and scroll depth. Sets no cookie, stores nothing on its own, and never throws into the page. `full.ts` adds
 * automatic event tracking.
 *
 * `<script defer data-domain="example.com" src="…/script.js"></script>`, with optional `data-api` (endpoint for
 * events), `data-hash` (use the hash as the route), `data-query` (query parameters that make a page), `data-manual`
 * (pageviews only by `footfall("pageview")`), `data-frames="off"` (count nothing in frames) and `data-user` (pseudonymous
 * id of the signed-in user).
 */
startFromTag();
