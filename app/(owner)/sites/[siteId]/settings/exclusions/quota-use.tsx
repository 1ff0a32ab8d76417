import { renewal } from "@/components/reports/quota-notice";
import { Fact, Facts } from "@/components/ui/facts";
import { formatExactly } from "@/components/ui/format";
import { Section } from "@/components/ui/section";
import type { Quota } from "@/lib/sites/quota";

/** How much of the month's events is used. */
export function QuotaUse({ quota }: { quota: Quota }) {
  return (
    <Section title="Quota of the month" about="Beyond it events are refused with 429 and counted above.">
      <Facts>
        <Fact name="Used">
          {formatExactly(quota.used)} of {formatExactly(quota.events)} events
        </Fact>
        <Fact name="Begins anew">{renewal(quota)}</Fact>
      </Facts>
    </Section>
  );
}
