import { useState } from "react";
import { embedCode } from "@/components/shell/embed-code";
import { CopyButton } from "@/components/ui/copy-button";
import { Switch } from "@/components/ui/switch";
import type { SiteShape } from "@/lib/contract/fields";
import { SITE_SETTINGS } from "@/lib/contract/site-settings";
import { t } from "@/lib/texts/translate";
import { SentSetting, SettingControls } from "../setting-controls";

/** Switch for the public dashboard, with what it shows, its URL and embed code. */
export function PublicSwitch({ site }: { site: SiteShape }) {
  const [on, setOn] = useState(site.public);
  const live = on && site.public;
  const { public_url: url } = site;
  const embed = embedCode(`${url}?embed=true`);
  return (
    <div className="space-y-2.5">
      <SentSetting name="public" />
      <Switch
        name="public"
        label={t(SITE_SETTINGS.dashboard.public.label)}
        hint={t(SITE_SETTINGS.dashboard.public.hint)}
        checked={on}
        onChange={(event) => setOn(event.target.checked)}
      />
      {on && <SettingControls group="dashboard" values={site} without={["public"]} />}
      {on && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
          <p className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
            <span className="text-muted">{live ? t("Public at") : t("After saving, public at")}</span>{" "}
            {live ? (
              <a href={url} className="text-accent underline">
                {url}
              </a>
            ) : (
              url
            )}
          </p>
          <CopyButton text={url} what={t("the URL of the public dashboard")} />
        </div>
      )}
      {live && (
        <div className="flex items-center gap-3 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
          <p className="min-w-0 flex-1">
            <span className="text-muted">{t("To embed it in a page:")}</span>{" "}
            <code className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{embed}</code>
          </p>
          <CopyButton text={embed} what={t("the embed code of the public dashboard")} />
        </div>
      )}
    </div>
  );
}
