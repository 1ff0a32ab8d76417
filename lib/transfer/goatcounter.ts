import { parseUserAgent } from "@/lib/ingest/enrich/user-agent";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import {
  checkColumns,
  type FileHead,
  fieldReader,
  momentOf,
  type Reader,
  type Service,
} from "@/lib/transfer/daily-sums";
import { browserOf, systemOf } from "@/lib/transfer/device-names";
import { VISITS_OF_EVENTS } from "@/lib/transfer/events-sql";
import { countsReader, isOfCounts, refuseIncomplete, SUMS_OF_COUNTS } from "@/lib/transfer/goatcounter-counts";
import { arrivalBy } from "@/lib/transfer/goatcounter-referrer";

/**
 * Imports both exports of GoatCounter: the CSV of single pageviews (https://www.goatcounter.com/help/export), whose
 * sessions are our visits, and the zip of counts (goatcounter-counts.ts).
 */

const COLUMNS = "path title event session bot referrer referrerscheme screensize location firstvisit date";
/** In version 1, `browser` is the user agent. */
const OF_VERSION: Readonly<Record<string, string>> = {
  1: `${COLUMNS} browser`,
  2: `${COLUMNS} useragent browser system`,
};
const FIRST_COLUMN = /^(\d{1,3})Path$/;

/** Names and versions, such as `Firefox 83` and `macOS 10.15`. */
const withoutVersion = (name: string) => name.replace(/ [\d.]+$/, "");

function truthOf(text: string, column: string): boolean {
  if (text === "1" || text === "true") return true;
  if (text === "0" || text === "false" || text === "") return false;
  throw new Error(`${column} is neither true nor false: ${text}`);
}

function csvReader({ name, header }: FileHead): Reader {
  const version = FIRST_COLUMN.exec(header[0] ?? "")?.[1] ?? "";
  const names = header.map((column) => column.replace(FIRST_COLUMN, "Path").replaceAll(/[ -]/g, "").toLowerCase());
  checkColumns(names, OF_VERSION[version] ?? (OF_VERSION[2] as string));
  const named = fieldReader(names);
  let rows = 0;
  return {
    table: "raw_event",
    skipReason: (fields) => {
      const bot = named(fields)("bot");
      if (!/^\d*$/.test(bot)) throw new Error(`Bot is not a number: ${bot}`);
      return Number(bot) > 0 ? "robots" : null;
    },
    read(fields) {
      const of = named(fields);
      const isEvent = truthOf(of("event"), "Event");
      // Without collection of sessions, each pageview is a visit of its own.
      const session = /^[0-]*$/.test(of("session")) ? `${name}:${++rows}` : of("session");
      return [
        {
          session,
          visit: session,
          at: momentOf(of("date"), "Date"),
          is_view: !isEvent,
          path: isEvent ? "" : canonicalTypedPath(of("path")),
          name: isEvent ? of("path") : "",
          ...arrivalBy(of("referrer"), of("referrerscheme")),
          country: of("location").slice(0, 2).toUpperCase(),
          ...agentOf(version === "1" ? { userAgent: of("browser") } : { userAgent: of("useragent"), of }),
        },
      ];
    },
  };
}

/** Only the user agent tells the device. */
function agentOf({ userAgent, of }: { userAgent: string; of?: (name: string) => string }) {
  const parsed = userAgent === "" ? null : parseUserAgent(userAgent);
  return {
    browser: parsed?.browser || browserOf(withoutVersion(of?.("browser") ?? "")),
    os: parsed?.os || systemOf(withoutVersion(of?.("system") ?? "").replace(/^Linux .*/, "Linux")),
    device: parsed?.device ?? null,
  };
}

export const GOATCOUNTER: Service = {
  name: "goatcounter",
  expected:
    "the CSV of an export of GoatCounter, which begins with the column 2Path or 1Path, or all files of its JSON export, best as the zip.",
  claims: (file) => FIRST_COLUMN.test(file.header[0] ?? "") || isOfCounts(file),
  reader: (file) => (FIRST_COLUMN.test(file.header[0] ?? "") ? csvReader(file) : countsReader(file)),
  check: refuseIncomplete,
  aggregate: `${VISITS_OF_EVENTS} UNION ALL ${SUMS_OF_COUNTS}`,
};
