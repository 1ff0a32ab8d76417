import type { Choice } from "@/components/ui/select";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";

/** The group of each dimension in the filter dialog. Traffic has a separate picker. */
const GROUPS: Record<Exclude<DimensionKey, "traffic">, string> = {
  page: "Pages",
  entry_page: "Pages",
  exit_page: "Pages",
  hostname: "Pages",
  title: "Pages",
  source: "Sources",
  referrer: "Sources",
  channel: "Sources",
  channel_rule: "Sources",
  utm_source: "Campaigns",
  utm_medium: "Campaigns",
  utm_campaign: "Campaigns",
  utm_term: "Campaigns",
  utm_content: "Campaigns",
  country: "Locations",
  region: "Locations",
  city: "Locations",
  language: "Locations",
  device: "Devices",
  browser: "Devices",
  browser_version: "Devices",
  os: "Devices",
  os_version: "Devices",
  screen: "Devices",
  bot: "Robots",
  bot_operator: "Robots",
  bot_purpose: "Robots",
  event: "Events",
};

/** The fields to filter by; `prop` and `goal` also need a name. */
export const FILTER_FIELDS: Choice[] = [
  ...Object.entries(GROUPS).map(([key, group]) => ({
    value: key,
    label: DIMENSIONS[key as DimensionKey].label,
    group,
  })),
  { value: "prop", label: "Event property", group: "Events" },
  { value: "goal", label: "Goal", group: "Events" },
];
