import { ROLES, type Role } from "@/lib/contract/vocabulary";

interface SettingsPage {
  key: string;
  label: string;
  /** The lowest role that may see the page. For others it is missing from the menu and not found. */
  least: Role;
  /** Path below the site; defaults to `settings/<key>`. */
  path?: string;
}

/** The settings pages of a site. */
const PAGES = [
  { key: "general", label: "General", least: "manager" },
  { key: "domains", label: "Domains", least: "manager" },
  { key: "installation", label: "Installation", least: "viewer", path: "install" },
  { key: "people", label: "People", least: "viewer" },
  { key: "goals", label: "Goals and funnels", least: "viewer" },
  { key: "privacy", label: "Privacy", least: "manager" },
  // The rules contain IP addresses of people, so viewers must not see them.
  { key: "exclusions", label: "Exclusions", least: "manager" },
  { key: "tracking", label: "Live test", least: "manager" },
  { key: "measurement", label: "Measurement Protocol", least: "manager" },
  { key: "proxy", label: "Proxies", least: "manager" },
  { key: "monitoring", label: "Monitoring", least: "viewer" },
  { key: "rates", label: "Exchange rates", least: "manager" },
  { key: "data", label: "Data", least: "manager" },
  { key: "danger", label: "Danger zone", least: "owner" },
] as const satisfies readonly SettingsPage[];

export type SettingsKey = (typeof PAGES)[number]["key"];

/** The menu heading of each page. */
const GROUPS: Record<SettingsKey, string> = {
  ...{ general: "Site", domains: "Site", installation: "Site", people: "Site", goals: "Site" },
  ...{ privacy: "Tracking", exclusions: "Tracking", tracking: "Tracking", measurement: "Tracking", proxy: "Tracking" },
  ...{ monitoring: "Administration", rates: "Administration", data: "Administration", danger: "Administration" },
};

interface MenuEntry {
  key: SettingsKey;
  group: string;
  label: string;
  href: string;
}

/** Returns the settings pages that a role can see, in menu order. */
export const settingsOf = (siteId: number, role: Role): MenuEntry[] =>
  PAGES.filter(({ least }) => ROLES[role].rank >= ROLES[least].rank).map(({ key, label, ...page }) => ({
    key,
    group: GROUPS[key],
    label,
    href: `/sites/${siteId}/${"path" in page ? page.path : `settings/${key}`}`,
  }));
