import { z } from "zod";
import { canonicalTypedPath } from "@/lib/platform/canonical";
import { clip } from "@/lib/platform/text";
import { type FileHead, fieldReader, type Reader, UnknownFile } from "@/lib/transfer/daily-sums";
import { browserOf, systemOf } from "@/lib/transfer/device-names";
import { deviceNamed, knownOf, referrerType, sourceNamed } from "@/lib/transfer/matomo-reports";

/**
 * Imports Matomo's log of visits, `Live.getLastVisitsDetails` in JSON: pageviews, events, downloads, outbound links and
 * searches of each visit. A visitor of a day is an id of Matomo with an action on it.
 */

const MAX_VALUE_LENGTH = 1_000;

const text = z.union([z.string(), z.number()]).transform((value) => clip(String(value), MAX_VALUE_LENGTH));
const actionShape = z.array(
  z.object({
    type: z.string(),
    timestamp: z.coerce.number().int().positive().max(8_640_000_000_000),
    url: text.nullish(),
    eventAction: text.nullish(),
  }),
);
type Action = z.infer<typeof actionShape>[number];

/** Names of events, as our own script names them; null for pageviews. Other actions are no events. */
const EVENTS: Readonly<Record<string, ((action: Action) => string) | null>> = {
  action: null,
  event: ({ eventAction }) => eventAction ?? "",
  download: () => "File Download",
  outlink: () => "Outbound Link: Click",
  search: () => "Search",
};

const NEEDED = ["idSite", "idVisit", "visitorId", "referrerType", "countryCode"];

export const isVisitsLog = ({ header }: FileHead): boolean => header.includes("idVisit");

/** @throws UnknownFile for visits without their actions */
export function readerOfVisits({ header }: FileHead): Reader {
  const missing = ["actionDetails", ...NEEDED].filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw new UnknownFile(`its visits have no ${missing.join(", ")}; export Live.getLastVisitsDetails in JSON`);
  const named = fieldReader(header);
  return {
    table: "raw_event",
    hasLongFields: true,
    note: "of visits, goals and orders are not imported",
    read: (fields) => {
      const of = named(fields);
      return eventsOf((name) => (name === "actionDetails" ? of(name) : clip(of(name), MAX_VALUE_LENGTH)));
    },
  };
}

function eventsOf(of: (name: string) => string): Record<string, unknown>[] {
  const visit = { ...visitOf(of), ...acquisitionOf(of) };
  return actionsOf(of("actionDetails")).flatMap((action, index) => {
    const nameOf = Object.hasOwn(EVENTS, action.type) ? EVENTS[action.type] : undefined;
    if (nameOf === undefined) return [];
    return {
      ...visit,
      id: `${of("idVisit")}-${index}`,
      at: new Date(action.timestamp * 1000).toISOString(),
      is_view: nameOf === null,
      path: canonicalTypedPath(action.url ?? ""),
      name: nameOf?.(action) ?? "",
    };
  });
}

function actionsOf(details: string): Action[] {
  const read = actionShape.safeParse(details === "" ? [] : JSON.parse(details));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Error(`actionDetails.${issue?.path.join(".")}: ${issue?.message}`);
}

const visitOf = (of: (name: string) => string) => ({
  website: of("idSite"),
  session: of("visitorId"),
  visit: of("idVisit"),
  browser: browserOf(knownOf(of("browserName"))),
  os: systemOf(knownOf(of("operatingSystemName"))),
  device: deviceNamed(/\/(\w+)\.\w+$/.exec(of("deviceTypeIcon"))?.[1] ?? "", of("deviceType")),
  country: knownOf(of("countryCode")).toUpperCase(),
});

function acquisitionOf(of: (name: string) => string) {
  const medium = of("campaignMedium");
  const { isDirect, isCampaign, channel } = referrerType(of("referrerType"), medium);
  return {
    source: isDirect || isCampaign ? "" : sourceNamed(knownOf(of("referrerName"))),
    channel,
    utm_source: of("campaignSource"),
    utm_medium: medium,
    utm_campaign: isCampaign ? of("campaignName") || of("referrerName") : "",
  };
}
