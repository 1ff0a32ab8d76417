import { ROLES, type Role } from "@/lib/contract/access";
import { msg } from "@/lib/texts/translate";

interface SettingsPage {
  key: string;
  /** The heading above it in the menu. */
  group: string;
  label: string;
  /** Path below the site; defaults to `settings/<key>`. */
  path?: string;
}

/** The settings pages of a site. */
const PAGES = [
  { key: "general", group: msg("Site"), label: msg("General") },
  { key: "domains", group: msg("Site"), label: msg("Domains") },
  { key: "installation", group: msg("Site"), label: msg("Installation"), path: "install" },
  { key: "people", group: msg("Site"), label: msg("People") },
  { key: "sharing", group: msg("Site"), label: msg("Sharing") },
  { key: "goals", group: msg("Site"), label: msg("Goals and funnels") },
  { key: "privacy", group: msg("Tracking"), label: msg("Privacy") },
  { key: "exclusions", group: msg("Tracking"), label: msg("Exclusions") },
  { key: "tracking", group: msg("Tracking"), label: msg("Live test") },
  { key: "measurement", group: msg("Tracking"), label: msg("Measurement Protocol") },
  { key: "proxy", group: msg("Tracking"), label: msg("Proxies") },
  { key: "monitoring", group: msg("Administration"), label: msg("Monitoring") },
  { key: "reports", group: msg("Administration"), label: msg("Reports and alerts") },
  { key: "search", group: msg("Administration"), label: msg("Search engines") },
  { key: "rates", group: msg("Administration"), label: msg("Exchange rates") },
  { key: "data", group: msg("Administration"), label: msg("Data") },
  { key: "import", group: msg("Administration"), label: msg("Import") },
  { key: "log", group: msg("Administration"), label: msg("Log") },
  { key: "danger", group: msg("Administration"), label: msg("Danger zone") },
] as const satisfies readonly SettingsPage[];

export type SettingsKey = (typeof PAGES)[number]["key"];

/** The path of each settings page below its site's, in menu order. */
export const SETTINGS_PATHS = Object.fromEntries(
  PAGES.map(({ key, ...page }) => [key, "path" in page ? page.path : `settings/${key}`]),
) as Record<SettingsKey, string>;

interface MenuEntry {
  key: SettingsKey;
  group: string;
  label: string;
  href: string;
}

/** The lowest role that sees each page. For others it is missing from the menu and not found. */
export type SettingsRoles = Readonly<Record<SettingsKey, Role>>;

/** Returns the settings pages that a role can see, in menu order. */
export const settingsPagesOf = (siteId: number, role: Role, least: SettingsRoles): MenuEntry[] =>
  PAGES.filter(({ key }) => ROLES[role].rank >= ROLES[least[key]].rank).map(({ key, group, label }) => ({
    key,
    group,
    label,
    href: `/sites/${siteId}/${SETTINGS_PATHS[key]}`,
  }));
