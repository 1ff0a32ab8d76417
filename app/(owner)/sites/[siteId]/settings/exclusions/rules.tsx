"use client";

import { useRouter } from "next/navigation";
import { useButtonAction } from "@/components/actions/actions";
import { useRemoval } from "@/components/actions/removal";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { useToast } from "@/components/ui/toaster";
import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";
import { KIND_LABELS } from "./kinds";

interface Rule {
  id: number;
  kind: ExclusionKind;
  pattern: string;
  /** What the pattern stands for, where it does not say so itself. */
  meaning: string | null;
}

/** What is not counted, and a way to count it again. */
export function Rules({ siteId, rules }: { siteId: number; rules: Rule[] }) {
  const { shown, remove } = useRemoval(
    "sites.exclusions.delete",
    rules,
    ({ id }) => id,
    ({ id }) => ({ site_id: siteId, exclusion_id: id }),
  );
  const adding = useButtonAction("sites.exclusions.add");
  const showToast = useToast();
  const router = useRouter();

  async function take(rule: Rule) {
    const done = await remove(rule);
    if (done) showToast({ text: "The rule is removed.", action: { label: "Undo", act: () => putBack(rule) } });
  }

  async function putBack(rule: Rule) {
    await adding.perform({ site_id: siteId, kind: rule.kind, pattern: rule.pattern }, () => putBack(rule));
    router.refresh();
  }

  return (
    <Section title="Left out" about="Events that fit one of these rules are counted as left out and not stored.">
      {shown.length === 0 && <p className="text-sm text-muted">No rules: everything is counted.</p>}
      <ul className="divide-y divide-line not-empty:-my-2.5">
        {shown.map((rule) => (
          <li key={rule.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <p className="min-w-0 flex-1 basis-48 text-sm">
              <span className="text-muted">{KIND_LABELS[rule.kind]}</span>{" "}
              <span className="font-mono font-medium break-all">{rule.pattern}</span>
              {rule.meaning && <span className="text-muted"> ({rule.meaning})</span>}
            </p>
            <Button
              look="quiet"
              size="small"
              aria-label={`Remove ${KIND_LABELS[rule.kind].toLowerCase()} ${rule.pattern}`}
              onClick={() => take(rule)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
