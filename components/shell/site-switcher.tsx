"use client";

import { Check, Code, Plus } from "lucide-react";
import Link from "next/link";
import { type SiteLink, useOnOtherSite, useOpenSite } from "@/components/shell/open-site";
import { Menu, MenuChoice, MenuChoices, MenuEnd, MenuItem } from "@/components/ui/menu";
import { t } from "@/lib/texts/translate";

/** Menu to switch between sites; report, range, comparison and filters stay. Shown only on pages of a site. */
export function SiteSwitcher({ sites, total }: { sites: SiteLink[]; total: number }) {
  const open = useOpenSite(sites, total);
  const onOther = useOnOtherSite();
  if (!open) return null;
  return (
    <Menu
      name={t("Site")}
      look="bare"
      label={<span className="block max-w-28 truncate sm:max-w-56">{open.label}</span>}
    >
      <div className="max-h-80 overflow-y-auto">
        <MenuChoices chosen={`${open.siteId}`}>
          {sites.map((site) => (
            <MenuChoice key={site.siteId} value={`${site.siteId}`}>
              <Link href={onOther(site.siteId)} prefetch={false}>
                <span className="max-w-60 truncate">{site.label}</span>
                {site === open && <Check className="size-4 text-accent" />}
              </Link>
            </MenuChoice>
          ))}
        </MenuChoices>
      </div>
      <MenuEnd>
        <MenuItem>
          <Link href={`/sites/${open.siteId}/install`} prefetch={false}>
            {t("Installation")}
            <Code className="size-4 text-muted" />
          </Link>
        </MenuItem>
        <MenuItem>
          <Link href="/sites" prefetch={false}>
            {total > sites.length ? t("Search all {total} sites", { total }) : t("All sites")}
          </Link>
        </MenuItem>
        <MenuItem>
          <Link href="/sites/new" prefetch={false}>
            {t("Add a site")}
            <Plus className="size-4 text-muted" />
          </Link>
        </MenuItem>
      </MenuEnd>
    </Menu>
  );
}
