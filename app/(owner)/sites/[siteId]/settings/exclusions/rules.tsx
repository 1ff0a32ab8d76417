"use client";

import { useRemoval, useUndo } from "@/components/actions/removal";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";
import { t } from "@/lib/texts/translate";
import { RuleRow } from "../rule-form";
import { KINDS } from "./kinds";

interface Rule {
  id: number;
  kind: ExclusionKind;
  pattern: string;
  /** Explanation of the pattern, such as a country's name; null if it needs none. */
  meaning: string | null;
}

/** List of exclusion rules, each with a button to remove it. */
export function Rules({ siteId, rules }: { siteId: number; rules: Rule[] }) {
  const { shown, remove } = useRemoval(
    "sites.exclusions.delete",
    rules,
    ({ id }) => id,
    ({ id }) => ({ site_id: siteId, exclusion_id: id }),
  );
  const offerUndo = useUndo("sites.exclusions.add", ({ kind, pattern }: Rule) => ({ site_id: siteId, kind, pattern }));

  async function removeRule(rule: Rule) {
    if (await remove(rule)) offerUndo(t("Rule removed."), rule);
  }

  return (
    <Section title={t("Exclusion rules")} about={t("Events that match one of these rules are not stored.")}>
      <Rows empty={t("No rules: all events are counted.")}>
        {shown.map((rule) => (
          <RuleRow
            key={rule.id}
            label={t(KINDS[rule.kind].label)}
            pattern={rule.pattern}
            onRemove={() => removeRule(rule)}
          >
            {rule.meaning && <span className="text-muted"> ({rule.meaning})</span>}
          </RuleRow>
        ))}
      </Rows>
    </Section>
  );
}
