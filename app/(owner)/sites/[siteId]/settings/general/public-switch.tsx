import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Switch } from "@/components/ui/switch";

/** What stands in a page that shows the dashboard. `theme` may be light or dark; without it the reader's device decides. */
const frameOf = (url: string) =>
  `<iframe src="${url}?embed=true" title="Visitors" loading="lazy" style="width:100%;height:1600px;border:0"></iframe>`;

/** Whether anyone may see the dashboard, what they see then, and where. */
export function PublicSwitch({ isPublic, url }: { isPublic: boolean; url: string }) {
  const [on, setOn] = useState(isPublic);
  const live = on && isPublic;
  return (
    <div className="space-y-2.5">
      <Switch
        name="public"
        label="Public dashboard"
        hint="Anyone who opens its address sees the dashboard without signing in: visitors, sources, pages, places and devices, over time and filtered. Reports, settings, people and agents stay yours."
        checked={on}
        onChange={(event) => setOn(event.target.checked)}
      />
      {on && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
          <p className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
            <span className="text-muted">{live ? "Everyone sees it at" : "Once saved, everyone sees it at"}</span>{" "}
            {live ? (
              <a href={url} className="text-accent underline">
                {url}
              </a>
            ) : (
              url
            )}
          </p>
          <CopyButton text={url} what="the address of the public dashboard" />
        </div>
      )}
      {live && (
        <div className="flex items-center gap-3 rounded-lg bg-sunken px-3.5 py-2.5 text-sm">
          <p className="min-w-0 flex-1">
            <span className="text-muted">To show it in a page of yours:</span>{" "}
            <code className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{frameOf(url)}</code>
          </p>
          <CopyButton text={frameOf(url)} what="the line that embeds the public dashboard" />
        </div>
      )}
    </div>
  );
}
