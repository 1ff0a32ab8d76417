import type { ReactNode } from "react";
import { SETTINGS_ROLES } from "@/app/(owner)/settings-roles";
import { BackToSite } from "@/components/shell/back-to-site";
import { type SettingsKey, settingsPagesOf } from "@/components/shell/settings-pages";
import type { SiteShape } from "@/lib/contract/fields";
import { t } from "@/lib/texts/translate";
import { SettingsNav } from "./settings-nav";

interface Props {
  site: SiteShape;
  page: SettingsKey;
  children: ReactNode;
}

/** Layout of all settings pages of a site, with navigation. */
export function SettingsFrame({ site, page, children }: Props) {
  return (
    <div className="mx-auto max-w-4xl">
      <BackToSite site={site} />
      <h1 className="mt-1 mb-5 text-2xl font-semibold">{t("Settings")}</h1>
      <div className="gap-8 md:grid md:grid-cols-[12rem_minmax(0,1fr)]">
        <SettingsNav
          entries={settingsPagesOf(site.site_id, site.role, SETTINGS_ROLES).map(({ key, ...entry }) => ({
            ...entry,
            current: key === page,
          }))}
        />
        <div className="min-w-0 space-y-5">{children}</div>
      </div>
    </div>
  );
}
