"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import type { Answer } from "@/lib/operations/index";
import { type Privacy, privacySettings } from "@/lib/sites/privacy-settings";

const [switches, choices] = [
  privacySettings.filter((one) => !one.choices),
  privacySettings.filter((one) => one.choices),
];

/** Privacy settings of a site. */
export function PrivacyForm({ privacy }: { privacy: Answer<"sites.privacy.get"> }) {
  const { perform, busy, problems } = useAction("sites.privacy.update");
  const router = useRouter();

  async function submit(formData: FormData) {
    const chosen = privacySettings.map((one) => [
      one.name,
      one.choices ? formData.get(one.name) : formData.has(one.name),
    ]);
    const done = await perform({ site_id: privacy.site_id, ...(Object.fromEntries(chosen) as Privacy) });
    if (done) router.refresh();
  }

  return (
    <Section title="Visitor data" about="Changes take effect within 10 seconds, for new events only.">
      <Form problem={problems.message} onSubmit={submit}>
        <div className="-mx-4">
          {switches.map(({ name, label, hint }) => (
            <Checkbox key={name} name={name} defaultChecked={privacy[name] === true} label={label} hint={hint} />
          ))}
        </div>
        {choices.map(({ name, label, hint, choices = {} }) => (
          <div key={name} className="max-w-72 space-y-1.5">
            <Select
              label={label}
              name={name}
              choices={Object.entries(choices).map(([value, text]) => ({ value, label: text }))}
              defaultValue={`${privacy[name]}`}
            />
            <p className="text-sm text-muted">{hint}</p>
          </div>
        ))}
        <Button type="submit" disabled={busy}>
          Save
        </Button>
      </Form>
    </Section>
  );
}
