import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Switch } from "@/components/ui/switch";

/** HTML to embed the dashboard. The URL also takes `theme=light|dark`; the default is the reader's system setting. */
const embedCode = (url: string) =>
  `<iframe src="${url}?embed=true" title="Visitors" loading="lazy" style="width:100%;height:1600px;border:0"></iframe>`;

/** Switch for the public dashboard, with its URL and embed code. */
export function PublicSwitch({ isPublic, url }: { isPublic: boolean; url: string }) {
  const [on, setOn] = useState(isPublic);
  const live = on && isPublic;
  return (
    <div className="space-y-2.5">
      <Switch
        name="public"
        label="Public dashboard"
        hint="Anyone with the URL sees the dashboard without signing in: visitors, sources, pages, locations and devices, over time and filtered. Reports, settings, members and agents stay private."
        checked={on}
        onChange={(event) => setOn(event.target.checked)}
      />
      {on && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
          <p className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
            <span className="text-muted">{live ? "Public at" : "After saving, public at"}</span>{" "}
            {live ? (
              <a href={url} className="text-accent underline">
                {url}
              </a>
            ) : (
              url
            )}
          </p>
          <CopyButton text={url} what="the URL of the public dashboard" />
        </div>
      )}
      {live && (
        <div className="flex items-center gap-3 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
          <p className="min-w-0 flex-1">
            <span className="text-muted">To embed it in a page:</span>{" "}
            <code className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{embedCode(url)}</code>
          </p>
          <CopyButton text={embedCode(url)} what="the embed code of the public dashboard" />
        </div>
      )}
    </div>
  );
}
