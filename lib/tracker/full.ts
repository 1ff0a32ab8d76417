import { watchAll } from "@/lib/tracker/all";
import { startFromTag } from "@/lib/tracker/start";

/**
 * The full browser script, served at /script.full.js: `script.ts` plus outbound links, file downloads, tagged elements,
 * forms, "not found" pages, searches and web vitals. `data-off="forms vitals"` turns some off, and `data-search="term
 * k"` sets the query parameters of a search.
 */
watchAll(startFromTag);
