"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import type { Answer } from "@/lib/operations/index";
import { t } from "@/lib/texts/translate";
import { SettingControls, settingsFrom } from "../setting-controls";

/** Privacy settings of a site. */
export function PrivacyForm({ privacy }: { privacy: Answer<"sites.privacy.get"> }) {
  const { perform, busy, problems } = useAction("sites.privacy.update");
  const router = useRouter();

  async function submit(formData: FormData) {
    const done = await perform({ site_id: privacy.site_id, ...settingsFrom("privacy", formData) });
    if (done) router.refresh();
  }

  return (
    <Section title={t("Visitor data")} about={t("Changes take effect within 10 seconds, for new events only.")}>
      <Form problem={problems.message} onSubmit={submit} className="space-y-5">
        <SettingControls group="privacy" values={privacy} />
        <Button type="submit" disabled={busy}>
          {t("Save")}
        </Button>
      </Form>
    </Section>
  );
}
