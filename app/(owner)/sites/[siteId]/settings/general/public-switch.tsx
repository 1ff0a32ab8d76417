import { useState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Switch } from "@/components/ui/switch";

/** Whether anyone may see the dashboard, what they see then, and where. */
export function PublicSwitch({ isPublic, url }: { isPublic: boolean; url: string }) {
  const [on, setOn] = useState(isPublic);
  const live = on && isPublic;
  return (
    <div className="space-y-2.5">
      <Switch
        name="public"
        label="Public dashboard"
        hint="Anyone who opens its address sees the numbers of this site, without signing in. Settings, people and agents stay yours, and nobody can change anything."
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
    </div>
  );
}
