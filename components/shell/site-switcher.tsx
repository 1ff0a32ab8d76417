"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Check, Code, Plus } from "@/components/ui/icons";
import { Menu, menuItem } from "@/components/ui/menu";

export interface SiteLink {
  siteId: number;
  label: string;
}

/** From one site to another without going back to the list. Shown only where a site is open. */
export function SiteSwitcher({ sites }: { sites: SiteLink[] }) {
  const openId = Number(/^\/sites\/(\d+)/.exec(usePathname())?.[1]);
  const open = sites.find((site) => site.siteId === openId);
  if (!open) return null;
  return (
    <Menu name="Site" look="bare" label={<span className="block max-w-28 truncate sm:max-w-56">{open.label}</span>}>
      {(close) => (
        <>
          <div className="max-h-80 overflow-y-auto">
            {sites.map((site) => (
              <Link
                key={site.siteId}
                href={`/sites/${site.siteId}`}
                prefetch={false}
                onClick={close}
                aria-current={site === open}
                className={menuItem}
              >
                <span className="max-w-60 truncate">{site.label}</span>
                {site === open && <Check className="size-4 text-accent" />}
              </Link>
            ))}
          </div>
          <div className="mt-1.5 border-t border-line pt-1.5">
            <Link href={`/sites/${open.siteId}/install`} prefetch={false} onClick={close} className={menuItem}>
              Installation
              <Code className="size-4 text-muted" />
            </Link>
            <Link href="/sites" onClick={close} className={menuItem}>
              All sites
            </Link>
            <Link href="/sites/new" onClick={close} className={menuItem}>
              Add a site
              <Plus className="size-4 text-muted" />
            </Link>
          </div>
        </>
      )}
    </Menu>
  );
}
