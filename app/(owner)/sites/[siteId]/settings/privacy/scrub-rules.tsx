"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { useRemoval, useUndo } from "@/components/actions/removal";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { SCRUB_RULES } from "@/lib/contract/scrub-rule-kinds";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";
import { RuleForm, RuleRow } from "../rule-form";

type Rule = Answer<"sites.scrubbing.list">["rules"][number];

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
    if (await remove(rule)) offerUndo(t("Rule removed."), rule);
  }

  return (
    <Section
      title={t("Your own rules")}
      about={t(
        "What is replaced besides, and what is kept as it was sent. Changes take effect within 10 seconds, for new events only.",
      )}
    >
      <Rows
        empty={t(
          "No rules. Add one if your site has identifiers of people that only you know, such as member numbers, or if something is replaced that belongs to nobody.",
        )}
      >
        {shown.map((rule) => (
          <RuleRow
            key={rule.rule_id}
            label={t(SCRUB_RULES[rule.kind].label)}
            pattern={rule.pattern}
            onRemove={() => removeRule(rule)}
          />
        ))}
      </Rows>
      <AddScrubRule siteId={siteId} />
    </Section>
  );
}

function AddScrubRule({ siteId }: { siteId: number }) {
  const { perform, busy, problems } = useAction("sites.scrubbing.add", { fields: ["pattern"] });
  const router = useRouter();

  async function add(rule: Pick<Rule, "kind" | "pattern">) {
    const done = await perform({ site_id: siteId, ...rule });
    if (done) router.refresh();
    return done !== null;
  }

  return (
    <div className="mt-4">
      <RuleForm
        label={t("Rule")}
        kinds={SCRUB_RULES}
        first="pattern"
        busy={busy}
        problem={problems.message}
        patternProblem={problems.fields.pattern}
        add={add}
      />
    </div>
  );
}
