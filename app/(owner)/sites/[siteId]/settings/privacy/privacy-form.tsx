"use client";

import { useRouter } from "next/navigation";
import type { FormEvent } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { PRECISIONS, type Precision, type Privacy } from "@/lib/sites/privacy-text";

const CHOICES = Object.entries(PRECISIONS).map(([value, label]) => ({ value, label }));

/** What a site keeps of its visitors, each choice with what it means. */
export function PrivacyForm({ siteId, privacy }: { siteId: number; privacy: Privacy }) {
  const { perform, busy, problems } = useAction("sites.privacy.update");
  const router = useRouter();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const done = await perform({
      site_id: siteId,
      anonymise_ip: typed.has("anonymise_ip"),
      geo_precision: typed.get("geo_precision") as Precision,
      honour_gpc: typed.has("honour_gpc"),
      retention_salt: typed.has("retention_salt"),
    });
    if (done) router.refresh();
  }

  return (
    <Section
      title="What is kept of visitors"
      about="A change takes effect within ten seconds, for what comes from then on."
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        {problems.message && <Notice>{problems.message}</Notice>}
        <div className="-mx-4">
          <Checkbox
            name="anonymise_ip"
            defaultChecked={privacy.anonymiseIp}
            label="Shorten addresses first"
            hint="Visitors and places are told from 24 bits of an IPv4 and 48 of an IPv6 address, so neighbours with the same browser become one visitor."
          />
          <Checkbox
            name="honour_gpc"
            defaultChecked={privacy.honourGpc}
            label="Honour Global Privacy Control"
            hint="Whoever’s browser asks not to be tracked (Sec-GPC or Do Not Track) is counted as a number of events left out, never as a visitor."
          />
          <Checkbox
            name="retention_salt"
            defaultChecked={privacy.retentionSalt}
            label="Know visitors again within a month"
            hint="For the report on retention alone: a random salt of each calendar month tells on which days the same visitor came, and is destroyed when the month is over. Switching this off destroys all that was kept for it."
          />
        </div>
        <div className="max-w-72 space-y-1.5">
          <Select label="Places" name="geo_precision" choices={CHOICES} defaultValue={privacy.geoPrecision} />
          <p className="text-sm text-muted">
            Where a visit came from, looked up from its address at arrival, is kept this exactly.
          </p>
        </div>
        <Button type="submit" disabled={busy}>
          Save
        </Button>
      </form>
    </Section>
  );
}
