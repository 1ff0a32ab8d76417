"use client";

import { useSwitch } from "@/components/actions/actions";
import { UnsentNotice } from "@/components/ui/mail-server";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  /** Whether the reader gets emails. */
  mine: boolean;
  /** Addresses of the other recipients. */
  others: string[];
}

/** Switch for incident emails to the reader, and the list of other recipients. */
export function EmailAlerts({ siteId, mine, others }: Props) {
  const switchProps = useSwitch("monitoring.emails", mine, (emails) => ({ site_id: siteId, emails }));
  return (
    <Section
      title={t("Email alerts")}
      about={t("Owners get emails unless they turn them off. At most three incidents per cause and day.")}
    >
      <div className="space-y-3">
        <UnsentNotice what={t("Alerts are")} />
        <Switch
          label={t("Email me")}
          hint={t("When an incident starts, and for most causes when it is resolved.")}
          {...switchProps}
        />
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {others.length === 0
            ? t("No other recipients.")
            : t("Other recipients: {addresses}.", { addresses: others.join(", ") })}
        </p>
      </div>
    </Section>
  );
}
