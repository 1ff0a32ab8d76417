import type { Choice } from "@/components/ui/select";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";

/** Where each dimension stands in the dialog of filters. Traffic has a picker of its own. */
const GROUPS: Record<Exclude<DimensionKey, "traffic">, string> = {
  page: "Pages",
  entry_page: "Pages",
  exit_page: "Pages",
  hostname: "Pages",
  title: "Pages",
  source: "Sources",
  referrer: "Sources",
  channel: "Sources",
  utm_source: "Campaigns",
  utm_medium: "Campaigns",
  utm_campaign: "Campaigns",
  utm_term: "Campaigns",
  utm_content: "Campaigns",
  country: "Places",
  region: "Places",
  city: "Places",
  language: "Places",
  device: "Devices",
  browser: "Devices",
  browser_version: "Devices",
  os: "Devices",
  os_version: "Devices",
  screen: "Devices",
  bot: "Devices",
  event: "Events",
};

/** What a view can be narrowed by; `prop` and `goal` ask for a name besides. */
export const FILTER_FIELDS: Choice[] = [
  ...Object.entries(GROUPS).map(([key, group]) => ({
    value: key,
    label: DIMENSIONS[key as DimensionKey].label,
    group,
  })),
  { value: "prop", label: "Property of an event", group: "Events" },
  { value: "goal", label: "Goal", group: "Events" },
];
