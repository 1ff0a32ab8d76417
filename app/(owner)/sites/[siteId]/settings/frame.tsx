import Link from "next/link";
import type { ReactNode } from "react";
import type { SiteShape } from "@/lib/contract/fields";
import { ROLES, type Role } from "@/lib/contract/vocabulary";

/** The pages of a site's settings, each with the least role that has something to do there. */
const PAGES = [
  { key: "people", label: "People", least: "viewer" },
  { key: "measurement", label: "Measurement Protocol", least: "manager" },
  { key: "privacy", label: "Privacy", least: "manager" },
  { key: "exclusions", label: "Exclusions", least: "manager" },
  { key: "danger", label: "Danger zone", least: "owner" },
] as const satisfies readonly { key: string; label: string; least: Role }[];

interface Props {
  site: SiteShape;
  page: (typeof PAGES)[number]["key"];
  children: ReactNode;
}

/** What all settings of a site stand in: the site, where else to go, and the page itself. */
export function SettingsFrame({ site, page, children }: Props) {
  const pages = PAGES.filter(({ least }) => ROLES[site.role].rank >= ROLES[least].rank);
  return (
    <div className="mx-auto max-w-4xl">
      <p className="text-sm">
        <Link href={`/sites/${site.site_id}`} prefetch={false} className="break-words text-accent underline">
          {site.name || site.domain}
        </Link>
      </p>
      <h1 className="mt-1 mb-5 text-2xl font-semibold">Settings</h1>
      <div className="gap-8 md:grid md:grid-cols-[11rem_minmax(0,1fr)]">
        <nav
          aria-label="Settings"
          className="-mx-2 mb-4 flex gap-1 overflow-x-auto px-2 md:mb-0 md:block md:space-y-0.5"
        >
          {pages.map(({ key, label }) => (
            <Link
              key={key}
              href={`/sites/${site.site_id}/settings/${key}`}
              prefetch={false}
              aria-current={key === page ? "page" : undefined}
              className="block rounded-lg px-3 py-1.5 text-sm font-medium whitespace-nowrap text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="min-w-0 space-y-5">{children}</div>
      </div>
    </div>
  );
}
