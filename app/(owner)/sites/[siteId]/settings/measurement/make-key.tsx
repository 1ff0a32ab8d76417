import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import { KeyFields } from "@/components/ui/key-fields";
import { Section } from "@/components/ui/section";
import { msg, t } from "@/lib/texts/translate";

const LIFETIMES = [
  { value: "", label: msg("Never") },
  { value: "30", label: msg("In 30 days") },
  { value: "90", label: msg("In 90 days") },
  { value: "365", label: msg("In a year") },
];

export function MakeKey({ siteId, onMade }: { siteId: number; onMade(key: string): void }) {
  const { perform, busy, problems } = useAction("sites.keys.create", { fields: ["name"] });

  async function submit(formData: FormData, form: HTMLFormElement) {
    const days = String(formData.get("days"));
    const made = await perform({
      site_id: siteId,
      name: String(formData.get("name")),
      expires_in_days: days === "" ? null : Number(days),
    });
    if (!made) return;
    form.reset();
    onMade(made.key);
  }

  return (
    <Section title={t("Create a key")} about={t("Use one key per server, so that each can be revoked separately.")}>
      <Form problem={problems.message} onSubmit={submit}>
        <div className="flex flex-wrap items-start gap-3">
          <KeyFields example={t("Shop")} lifetimes={LIFETIMES} usual="365" problem={problems.fields.name} />
          <Button type="submit" disabled={busy} className="mt-[1.625rem]">
            {busy ? t("Creating…") : t("Create key")}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
