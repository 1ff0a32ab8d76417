"use client";

import { useRouter } from "next/navigation";
import { useDeed } from "@/components/deeds/deeds";
import { Badge } from "@/components/ui/badge";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";

const HINT =
  "The page is looked at every five minutes, from outside. What the site counts is held against its own last four weeks.";

/** Switches the monitoring of a site, at once. */
export function MonitoringSwitch({ siteId, on, mayChange }: { siteId: number; on: boolean; mayChange: boolean }) {
  const { perform, busy, problems } = useDeed("monitoring.update");
  const router = useRouter();

  async function change(enabled: boolean) {
    if (await perform({ site_id: siteId, enabled })) router.refresh();
  }

  return (
    <Section
      title="Monitoring"
      about={mayChange ? undefined : HINT}
      badge={<Badge tone={on ? "good" : "plain"}>{on ? "On" : "Off"}</Badge>}
    >
      {problems.message && (
        <div className="mb-3">
          <Notice>{problems.message}</Notice>
        </div>
      )}
      {mayChange ? (
        <Switch
          label="Watch this site"
          hint={HINT}
          checked={on}
          aria-busy={busy}
          onChange={(event) => {
            if (!busy) change(event.target.checked);
          }}
        />
      ) : (
        <p className="text-sm text-muted">Managers and owners switch it.</p>
      )}
    </Section>
  );
}
