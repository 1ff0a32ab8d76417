"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { Answer } from "@/lib/operations/index";
import { PRECISIONS, PRIVACY_LABELS, type Precision } from "@/lib/sites/privacy-text";

const CHOICES = Object.entries(PRECISIONS).map(([value, label]) => ({ value, label }));

/** Privacy settings of a site. */
export function PrivacyForm({ privacy }: { privacy: Answer<"sites.privacy.get"> }) {
  const { perform, busy, problems } = useAction("sites.privacy.update");
  const router = useRouter();

  async function submit(formData: FormData) {
    const done = await perform({
      site_id: privacy.site_id,
      anonymise_ip: formData.has("anonymise_ip"),
      geo_precision: formData.get("geo_precision") as Precision,
      honour_gpc: formData.has("honour_gpc"),
      retention_salt: formData.has("retention_salt"),
    });
    if (done) router.refresh();
  }

  return (
    <Section title="Visitor data" about="Changes take effect within 10 seconds, for new events only.">
      <Form problem={problems.message} onSubmit={submit}>
        <div className="-mx-4">
          <Checkbox
            name="anonymise_ip"
            defaultChecked={privacy.anonymise_ip}
            label={PRIVACY_LABELS.anonymiseIp}
            hint="Visitors and locations are derived from 24 bits of an IPv4 and 48 bits of an IPv6 address, so neighbours with the same browser count as one visitor."
          />
          <Checkbox
            name="honour_gpc"
            defaultChecked={privacy.honour_gpc}
            label={PRIVACY_LABELS.honourGpc}
            hint="Events of browsers that send Sec-GPC or Do Not Track are excluded; only their number is counted."
          />
          <Checkbox
            name="retention_salt"
            defaultChecked={privacy.retention_salt}
            label={PRIVACY_LABELS.retentionSalt}
            hint="For the retention report only: a random salt per calendar month links the days of a visitor, and is deleted at the end of the month. Turning this off deletes all data that was stored for it."
          />
        </div>
        <div className="max-w-72 space-y-1.5">
          <Select
            label={PRIVACY_LABELS.geoPrecision}
            name="geo_precision"
            choices={CHOICES}
            defaultValue={privacy.geo_precision}
          />
          <p className="text-sm text-muted">
            Precision of the stored location, which is looked up from the IP address of the visit.
          </p>
        </div>
        <Button type="submit" disabled={busy}>
          Save
        </Button>
      </Form>
    </Section>
  );
}
