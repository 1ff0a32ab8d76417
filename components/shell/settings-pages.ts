import { ROLES, type Role } from "@/lib/contract/vocabulary";

interface SettingsPage {
  key: string;
  label: string;
  /** Path below the site; defaults to `settings/<key>`. */
  path?: string;
}

/** The settings pages of a site. */
const PAGES = [
  { key: "general", label: "General" },
  { key: "domains", label: "Domains" },
  { key: "installation", label: "Installation", path: "install" },
  { key: "people", label: "People" },
  { key: "sharing", label: "Sharing" },
  { key: "goals", label: "Goals and funnels" },
  { key: "privacy", label: "Privacy" },
  { key: "exclusions", label: "Exclusions" },
  { key: "tracking", label: "Live test" },
  { key: "measurement", label: "Measurement Protocol" },
  { key: "proxy", label: "Proxies" },
  { key: "monitoring", label: "Monitoring" },
  { key: "reports", label: "Reports and alerts" },
  { key: "search", label: "Search engines" },
  { key: "rates", label: "Exchange rates" },
  { key: "data", label: "Data" },
  { key: "import", label: "Import" },
  { key: "log", label: "Log" },
  { key: "danger", label: "Danger zone" },
] as const satisfies readonly SettingsPage[];

export type SettingsKey = (typeof PAGES)[number]["key"];

/** The menu heading of each page. */
const GROUPS: Record<SettingsKey, string> = {
  general: "Site",
  domains: "Site",
  installation: "Site",
  people: "Site",
  sharing: "Site",
  goals: "Site",
  privacy: "Tracking",
  exclusions: "Tracking",
  tracking: "Tracking",
  measurement: "Tracking",
  proxy: "Tracking",
  monitoring: "Administration",
  reports: "Administration",
  search: "Administration",
  rates: "Administration",
  data: "Administration",
  import: "Administration",
  log: "Administration",
  danger: "Administration",
};

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
  PAGES.filter(({ key }) => ROLES[role].rank >= ROLES[least[key]].rank).map(({ key, label, ...page }) => ({
    key,
    group: GROUPS[key],
    label,
    href: `/sites/${siteId}/${"path" in page ? page.path : `settings/${key}`}`,
  }));
