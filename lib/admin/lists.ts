import { PACKAGES } from "@/lib/ingest/enrich/classify";
import { placeDatabase } from "@/lib/ingest/enrich/geo";
import { isOutdated, LISTS } from "@/lib/ingest/enrich/lists";
import { ownLists } from "@/lib/ingest/enrich/own-lists";
import { msg } from "@/lib/texts/translate";

/** A list by which the service recognises what exists in the world. */
export interface ListStatus {
  title: string;
  /** Null for the operator's own file, which has none. */
  entries: number | null;
  /** A URL, a package with its version, or a file. */
  source: string;
  licence: string | null;
  /** `YYYY-MM-DD`; null for packages, whose version says how old they are. */
  date: string | null;
  outdated: boolean;
}

/** Returns all lists: those with a date, oldest first, then those of packages and the operator's own. */
export function readLists(now: Date): ListStatus[] {
  const places = placeDatabase();
  const located =
    places === null
      ? []
      : [
          {
            title: msg("Locations of IP addresses"),
            entries: null,
            source: places.file ?? "DB-IP City Lite",
            licence: places.file === null ? "CC-BY-4.0" : null,
            date: places.date,
          },
        ];
  const dated = [...LISTS, ...located]
    .sort((one, other) => one.date.localeCompare(other.date))
    .map((list) => ({ ...list, outdated: isOutdated(list, now) }));
  const packages = Object.entries(PACKAGES).map(([name, version]) => ({
    title: name === "isbot" ? msg("Bot words") : msg("Crawler names"),
    entries: null,
    source: `${name} ${version}`,
    licence: null,
    date: null,
    outdated: false,
  }));
  const { file } = ownLists();
  const own =
    file === null
      ? []
      : [
          {
            title: msg("Your own entries"),
            entries: file.entries,
            source: file.path,
            licence: null,
            date: file.date,
            outdated: false,
          },
        ];
  return [...dated, ...packages, ...own];
}
