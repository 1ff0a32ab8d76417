import type { Choice } from "@/components/ui/select";
import { DIMENSIONS, type DimensionKey } from "@/lib/analytics/query/dimensions";
import { msg } from "@/lib/texts/translate";

/** The group of each dimension in the filter dialog. Traffic has a separate picker. */
const GROUPS: Record<Exclude<DimensionKey, "traffic">, string> = {
  page: msg("Pages"),
  entry_page: msg("Pages"),
  exit_page: msg("Pages"),
  hostname: msg("Pages"),
  title: msg("Pages"),
  source: msg("Sources"),
  referrer: msg("Sources"),
  channel: msg("Sources"),
  channel_rule: msg("Sources"),
  utm_source: msg("Campaigns"),
  utm_medium: msg("Campaigns"),
  utm_campaign: msg("Campaigns"),
  utm_term: msg("Campaigns"),
  utm_content: msg("Campaigns"),
  country: msg("Locations"),
  region: msg("Locations"),
  city: msg("Locations"),
  language: msg("Locations"),
  device: msg("Devices"),
  browser: msg("Devices"),
  browser_version: msg("Devices"),
  os: msg("Devices"),
  os_version: msg("Devices"),
  screen: msg("Devices"),
  bot: msg("Robots"),
  bot_operator: msg("Robots"),
  bot_purpose: msg("Robots"),
  event: msg("Events"),
};

/** The fields to filter by; `prop` and `goal` also need a name. */
export const FILTER_FIELDS: Choice[] = [
  ...Object.entries(GROUPS).map(([key, group]) => ({
    value: key,
    label: DIMENSIONS[key as DimensionKey].label,
    group,
  })),
  { value: "product", label: msg("Product"), group: msg("Events") },
  { value: "prop", label: msg("Event property"), group: msg("Events") },
  { value: "goal", label: msg("Goal"), group: msg("Events") },
];
