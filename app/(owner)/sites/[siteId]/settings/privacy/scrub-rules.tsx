"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { useRemoval, useUndo } from "@/components/actions/removal";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { RowButton } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { SCRUB_RULE_KINDS, SCRUB_RULES, type ScrubRuleKind } from "@/lib/contract/scrub-rule-kinds";
import type { Answer } from "@/lib/operations/index";
import { legiblePath } from "@/lib/platform/legible";

type Rule = Answer<"sites.scrubbing.list">["rules"][number];

const CHOICES = SCRUB_RULE_KINDS.map((kind) => ({ value: kind, label: SCRUB_RULES[kind].label }));

/** The site's own rules of scrubbing, with a form to add one. */
export function ScrubRules({ siteId, rules }: { siteId: number; rules: Rule[] }) {
  const { shown, remove } = useRemoval(
    "sites.scrubbing.delete",
    rules,
    ({ rule_id }) => rule_id,
    ({ rule_id }) => ({ site_id: siteId, rule_id }),
  );
  const offerUndo = useUndo("sites.scrubbing.add", ({ kind, pattern }: Rule) => ({ site_id: siteId, kind, pattern }));

  async function removeRule(rule: Rule) {
    if (await remove(rule)) offerUndo("Rule removed.", rule);
  }

  return (
    <Section
      title="Your own rules"
      about="What is replaced besides, and what is kept as it was sent. Changes take effect within 10 seconds, for new events only."
    >
      <Rows empty="No rules. Add one if your site has identifiers of people that only you know, such as member numbers, or if something is replaced that belongs to nobody.">
        {shown.map((rule) => (
          <li key={rule.rule_id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
            <p className="min-w-0 flex-1 basis-48 text-sm">
              <span className="text-muted">{SCRUB_RULES[rule.kind].label}</span>{" "}
              <bdi className="font-mono font-medium break-all">{legiblePath(rule.pattern)}</bdi>
            </p>
            <RowButton
              action="Remove"
              name={`${SCRUB_RULES[rule.kind].label.toLowerCase()} ${rule.pattern}`}
              onClick={() => removeRule(rule)}
            />
          </li>
        ))}
      </Rows>
      <AddRule siteId={siteId} />
    </Section>
  );
}

function AddRule({ siteId }: { siteId: number }) {
  const { perform, busy, problems } = useAction("sites.scrubbing.add", { fields: ["pattern"] });
  const [kind, setKind] = useState<ScrubRuleKind>("pattern");
  const router = useRouter();

  async function submit(formData: FormData, form: HTMLFormElement) {
    const done = await perform({ site_id: siteId, kind, pattern: String(formData.get("pattern")) });
    if (!done) return;
    form.reset();
    router.refresh();
  }

  return (
    <div className="mt-4">
      <Form problem={problems.message} onSubmit={submit}>
        <div className="flex flex-wrap items-start gap-3">
          <div className="w-full sm:w-64">
            <Select
              label="Rule"
              choices={CHOICES}
              value={kind}
              onChange={(event) => setKind(event.target.value as ScrubRuleKind)}
            />
          </div>
          <div className="min-w-0 flex-1 basis-56">
            <Field
              label="Pattern"
              name="pattern"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              hint={SCRUB_RULES[kind].hint}
              required
              problem={problems.fields.pattern}
            />
          </div>
          <Button type="submit" disabled={busy} className="sm:mt-[1.625rem]">
            Add rule
          </Button>
        </div>
      </Form>
    </div>
  );
}
