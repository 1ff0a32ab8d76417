import Link from "next/link";
import type { ReactNode } from "react";
import type { SiteShape } from "@/lib/contract/fields";
import { ROLES, type Role } from "@/lib/contract/vocabulary";
import { SettingsNav } from "./settings-nav";

interface SettingsPage {
  key: string;
  label: string;
  least: Role;
  /** Where it is below the site; among the settings unless it says so. */
  path?: string;
}

/** The pages of a site's settings, each with the least role that has something to do there. */
const PAGES = [
  { key: "general", label: "General", least: "manager" },
  { key: "domains", label: "Domains", least: "manager" },
  { key: "installation", label: "Installation", least: "viewer", path: "install" },
  { key: "people", label: "People", least: "viewer" },
  { key: "goals", label: "Goals and funnels", least: "viewer" },
  { key: "privacy", label: "Privacy", least: "manager" },
  { key: "exclusions", label: "Exclusions", least: "manager" },
  { key: "measurement", label: "Measurement Protocol", least: "manager" },
  { key: "proxy", label: "Proxies", least: "manager" },
  { key: "rates", label: "Exchange rates", least: "manager" },
  { key: "danger", label: "Danger zone", least: "owner" },
] as const satisfies readonly SettingsPage[];

interface Props {
  site: SiteShape;
  page: (typeof PAGES)[number]["key"];
  children: ReactNode;
}

/** What all settings of a site stand in: the site, where else to go, and the page itself. */
export function SettingsFrame({ site, page, children }: Props) {
  const pages: SettingsPage[] = PAGES.filter(({ least }) => ROLES[site.role].rank >= ROLES[least].rank);
  return (
    <div className="mx-auto max-w-4xl">
      <p className="text-sm">
        <Link href={`/sites/${site.site_id}`} prefetch={false} className="break-words text-accent underline">
          {site.name || site.domain}
        </Link>
      </p>
      <h1 className="mt-1 mb-5 text-2xl font-semibold">Settings</h1>
      <div className="gap-8 md:grid md:grid-cols-[11rem_minmax(0,1fr)]">
        <SettingsNav
          entries={pages.map(({ key, label, path = `settings/${key}` }) => ({
            href: `/sites/${site.site_id}/${path}`,
            label,
            current: key === page,
          }))}
        />
        <div className="min-w-0 space-y-5">{children}</div>
      </div>
    </div>
  );
}
