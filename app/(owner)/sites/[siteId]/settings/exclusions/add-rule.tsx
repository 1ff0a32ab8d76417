"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { ExclusionKind } from "@/lib/contract/exclusion-patterns";
import { KIND_HINTS, KIND_LABELS } from "./kinds";

const CHOICES = Object.entries(KIND_LABELS).map(([value, label]) => ({ value, label }));

/** Form to add an exclusion rule. @param mine the reader's IP address; null if a rule already excludes it */
export function AddRule({ siteId, mine }: { siteId: number; mine: string | null }) {
  const { perform, busy, problems } = useAction("sites.exclusions.add", { fields: ["pattern"] });
  const [kind, setKind] = useState<ExclusionKind>("address");
  const router = useRouter();

  async function add(rule: { kind: ExclusionKind; pattern: string }) {
    const done = await perform({ site_id: siteId, ...rule });
    if (done) router.refresh();
    return done;
  }

  async function submit(formData: FormData, form: HTMLFormElement) {
    if (await add({ kind, pattern: String(formData.get("pattern")) })) form.reset();
  }

  return (
    <Section title="Add a rule" about="Takes effect within 10 seconds. Events that are already stored stay.">
      <Form problem={problems.message} onSubmit={submit}>
        <div className="flex flex-wrap items-start gap-3">
          <div className="w-36">
            <Select
              label="Type"
              choices={CHOICES}
              value={kind}
              onChange={(event) => setKind(event.target.value as ExclusionKind)}
            />
          </div>
          <div className="min-w-0 flex-1 basis-56">
            <Field
              label="Pattern"
              name="pattern"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              hint={KIND_HINTS[kind]}
              required
              problem={problems.fields.pattern}
            />
          </div>
          <Button type="submit" disabled={busy} className="sm:mt-[1.625rem]">
            Add rule
          </Button>
        </div>
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
      </Form>
    </Section>
  );
}
