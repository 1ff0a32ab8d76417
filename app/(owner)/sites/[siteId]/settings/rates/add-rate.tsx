"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { type Choice, Select } from "@/components/ui/select";
import { t } from "@/lib/texts/translate";

interface Props {
  siteId: number;
  currencies: Choice[];
  /** The preselected currency. */
  defaultCurrency: string;
  /** The site's local day. */
  today: string;
}

export function AddRate({ siteId, currencies, defaultCurrency, today }: Props) {
  const { perform, busy, problems } = useAction("sites.rates.set", { fields: ["per_euro", "day"] });
  const router = useRouter();

  async function submit(formData: FormData, form: HTMLFormElement) {
    const text = (name: string) => String(formData.get(name)).trim();
    const rate = { currency: text("currency"), day: text("day"), per_euro: text("per_euro") };
    if (!(await perform({ site_id: siteId, ...rate }))) return;
    form.reset();
    router.refresh();
  }

  const { fields } = problems;
  return (
    <Section title={t("Add a rate")} about={t("Rates are relative to the euro. A rate of the same day is replaced.")}>
      <Form problem={problems.message} onSubmit={submit}>
        <div className="grid items-start gap-4 sm:grid-cols-[1fr_9rem_10rem]">
          <Select label={t("Currency")} name="currency" choices={currencies} defaultValue={defaultCurrency} />
          <Field
            label={t("One euro is")}
            name="per_euro"
            inputMode="decimal"
            autoComplete="off"
            placeholder="1.0895"
            required
            problem={fields.per_euro}
          />
          <Field
            label={t("From")}
            name="day"
            type="date"
            min="1999-01-01"
            defaultValue={today}
            required
            problem={fields.day}
          />
        </div>
        <Button type="submit" disabled={busy}>
          {busy ? t("Saving…") : t("Save rate")}
        </Button>
      </Form>
    </Section>
  );
}
