"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";
import { RuleForm } from "../rule-form";
import { KINDS } from "./kinds";

/** Form to add an exclusion rule. @param mine the reader's IP address; null if a rule already excludes it */
export function AddRule({ siteId, mine }: { siteId: number; mine: string | null }) {
  const { perform, busy, problems } = useAction("sites.exclusions.add", { fields: ["pattern"] });
  const router = useRouter();

  async function add(rule: { kind: ExclusionKind; pattern: string }) {
    const done = await perform({ site_id: siteId, ...rule });
    if (done) router.refresh();
    return done !== null;
  }

  return (
    <Section title="Add a rule" about="Takes effect within 10 seconds. Events that are already stored stay.">
      <RuleForm
        label="Type"
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
            <span className="truncate">Exclude my address, {mine}</span>
          </Button>
        )}
        <p className="text-sm text-muted">
          To exclude a browser on any network, open a page of the site in it with{" "}
          <code className="font-mono whitespace-nowrap">?footfall=ignore</code> at the end of the URL;{" "}
          <code className="font-mono break-all">?footfall=count</code> includes it again.
        </p>
      </RuleForm>
    </Section>
  );
}
