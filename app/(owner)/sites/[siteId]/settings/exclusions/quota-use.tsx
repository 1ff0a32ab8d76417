import { ProveDomain, renewal } from "@/components/reports/quota-notice";
import { Fact, Facts } from "@/components/ui/facts";
import { Section } from "@/components/ui/section";
import { formatExactly } from "@/lib/contract/numbers";
import type { Quota } from "@/lib/ingest/site/quota";

/** Use of the monthly event quota. */
export function QuotaUse({ quota, siteId }: { quota: Quota; siteId: number }) {
  return (
    <Section
      title="Monthly quota"
      about="Events beyond it are refused with 429 and counted above. A large event counts once for each started KB."
    >
      <Facts>
        <Fact name="Used">
          {formatExactly(quota.used)} of {formatExactly(quota.events)} events
        </Fact>
        <Fact name="Resets">{renewal(quota)}</Fact>
        {quota.unproven && (
          <Fact name="Ends">
            <ProveDomain siteId={siteId} />
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
