"use client";

import { useRemoval, useUndo } from "@/components/actions/removal";
import { RowButton } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";
import { legiblePath } from "@/lib/platform/legible";
import { KIND_LABELS } from "./kinds";

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
    if (await remove(rule)) offerUndo("Rule removed.", rule);
  }

  return (
    <Section title="Exclusion rules" about="Events that match one of these rules are not stored.">
      <Rows empty="No rules: all events are counted.">
        {shown.map((rule) => (
          <li key={rule.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <p className="min-w-0 flex-1 basis-48 text-sm">
              <span className="text-muted">{KIND_LABELS[rule.kind]}</span>{" "}
              <bdi className="font-mono font-medium break-all">{legiblePath(rule.pattern)}</bdi>
              {rule.meaning && <span className="text-muted"> ({rule.meaning})</span>}
            </p>
            <RowButton
              action="Remove"
              name={`${KIND_LABELS[rule.kind].toLowerCase()} ${rule.pattern}`}
              onClick={() => removeRule(rule)}
            />
          </li>
        ))}
      </Rows>
    </Section>
  );
}
