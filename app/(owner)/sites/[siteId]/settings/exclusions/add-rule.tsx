"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";
import { t } from "@/lib/texts/translate";
import { RuleForm } from "../rule-form";
import { KINDS } from "./kinds";

/** Form to add an exclusion rule. @param mine the reader's IP address; null if a rule already excludes it */
export function AddExclusion({ siteId, mine }: { siteId: number; mine: string | null }) {
  const { perform, busy, problems } = useAction("sites.exclusions.add", { fields: ["pattern"] });
  const router = useRouter();

  async function add(rule: { kind: ExclusionKind; pattern: string }) {
    const done = await perform({ site_id: siteId, ...rule });
    if (done) router.refresh();
    return done !== null;
  }

  return (
    <Section title={t("Add a rule")} about={t("Takes effect within 10 seconds. Events that are already stored stay.")}>
      <RuleForm
        label={t("Type")}
        kinds={KINDS}
        first="address"
        busy={busy}
        problem={problems.message}
        patternProblem={problems.fields.pattern}
        add={add}
      >
        {mine && (
          <Button
            look="quiet"
            size="small"
            disabled={busy}
            className="max-w-full"
            onClick={() => add({ kind: "address", pattern: mine })}
          >
            <span className="truncate">{t("Exclude my address, {address}", { address: mine })}</span>
          </Button>
        )}
        <p className="text-sm text-muted">
          {rich(
            "To exclude a browser on any network, open a page of the site in it with {ignore} at the end of the URL; {count} includes it again.",
            {
              ignore: <code className="font-mono whitespace-nowrap">?footfall=ignore</code>,
              count: <code className="font-mono break-all">?footfall=count</code>,
            },
          )}
        </p>
      </RuleForm>
    </Section>
  );
}
