import { watchAll } from "@/lib/tracker/all";
import { startFromTag } from "@/lib/tracker/start";

/**
 * The full browser script, served at /script.full.js: what `script.ts` counts, and besides outbound links, file
 * downloads, tagged elements, forms, pages that are not there, searches and web vitals. `data-off="forms vitals"` leaves
 * some out, `data-search="term k"` names the query parameters of a search.
 */
watchAll(startFromTag);
