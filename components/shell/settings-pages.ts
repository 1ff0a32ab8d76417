import { ROLES, type Role } from "@/lib/contract/vocabulary";

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
  { key: "general", group: "Site", label: "General" },
  { key: "domains", group: "Site", label: "Domains" },
  { key: "installation", group: "Site", label: "Installation", path: "install" },
  { key: "people", group: "Site", label: "People" },
  { key: "sharing", group: "Site", label: "Sharing" },
  { key: "goals", group: "Site", label: "Goals and funnels" },
  { key: "privacy", group: "Tracking", label: "Privacy" },
  { key: "exclusions", group: "Tracking", label: "Exclusions" },
  { key: "tracking", group: "Tracking", label: "Live test" },
  { key: "measurement", group: "Tracking", label: "Measurement Protocol" },
  { key: "proxy", group: "Tracking", label: "Proxies" },
  { key: "monitoring", group: "Administration", label: "Monitoring" },
  { key: "reports", group: "Administration", label: "Reports and alerts" },
  { key: "search", group: "Administration", label: "Search engines" },
  { key: "rates", group: "Administration", label: "Exchange rates" },
  { key: "data", group: "Administration", label: "Data" },
  { key: "import", group: "Administration", label: "Import" },
  { key: "danger", group: "Administration", label: "Danger zone" },
] as const satisfies readonly SettingsPage[];

export type SettingsKey = (typeof PAGES)[number]["key"];

interface MenuEntry {
  key: SettingsKey;
  group: string;
  label: string;
  href: string;
}

/** The lowest role that sees each page. For others it is missing from the menu and not found. */
export type SettingsRoles = Readonly<Record<SettingsKey, Role>>;

/** Returns the settings pages that a role can see, in menu order. */
export const settingsOf = (siteId: number, role: Role, least: SettingsRoles): MenuEntry[] =>
  PAGES.filter(({ key }) => ROLES[role].rank >= ROLES[least[key]].rank).map(({ key, group, label, ...page }) => ({
    key,
    group,
    label,
    href: `/sites/${siteId}/${"path" in page ? page.path : `settings/${key}`}`,
  }));
