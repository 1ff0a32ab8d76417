"use client";

import { useRouter } from "next/navigation";
import { useDeed } from "@/components/deeds/deeds";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import type { ExclusionKind } from "@/lib/sites/exclusions";
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
  const { perform, busy, problems } = useDeed("exclusions.remove");
  const router = useRouter();

  async function remove(id: number) {
    await perform({ site_id: siteId, exclusion_id: id });
    router.refresh();
  }

  return (
    <Section title="Left out" about="Events that fit one of these rules are counted as left out and not stored.">
      {problems.message && (
        <div className="mb-3">
          <Notice>{problems.message}</Notice>
        </div>
      )}
      {rules.length === 0 && <p className="text-sm text-muted">No rules: everything is counted.</p>}
      <ul className="divide-y divide-line not-empty:-my-2.5">
        {rules.map(({ id, kind, pattern, meaning }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <p className="min-w-0 flex-1 basis-48 text-sm">
              <span className="text-muted">{KIND_LABELS[kind]}</span>{" "}
              <span className="font-mono font-medium break-all">{pattern}</span>
              {meaning && <span className="text-muted"> ({meaning})</span>}
            </p>
            <Button
              look="quiet"
              size="small"
              disabled={busy}
              aria-label={`Remove ${KIND_LABELS[kind].toLowerCase()} ${pattern}`}
              onClick={() => remove(id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
