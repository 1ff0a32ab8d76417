import { renewal } from "@/components/reports/quota-notice";
import { Fact, Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { formatExactly } from "@/lib/contract/numbers";
import type { Quota } from "@/lib/sites/quota";

/** Use of the monthly event quota. */
export function QuotaUse({ quota }: { quota: Quota }) {
  return (
    <Section title="Monthly quota" about="Events beyond it are refused with 429 and counted above.">
      <Facts>
        <Fact name="Used">
          {formatExactly(quota.used)} of {formatExactly(quota.events)} events
        </Fact>
        <Fact name="Resets">{renewal(quota)}</Fact>
      </Facts>
    </Section>
  );
}
