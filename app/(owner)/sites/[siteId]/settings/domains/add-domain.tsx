"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";

export function AddDomain({ siteId }: { siteId: number }) {
  const { perform, busy, problems } = useAction("sites.domains.add", { fields: ["domain"] });
  const router = useRouter();

  async function submit(formData: FormData, form: HTMLFormElement) {
    if (!(await perform({ site_id: siteId, domain: `${formData.get("domain")}` }))) return;
    form.reset();
    router.refresh();
  }

  return (
    <Section title={t("Add a domain")} about={t("For a site with several domains. All of them are counted together.")}>
      <Form problem={problems.message} onSubmit={submit}>
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-56">
            <Field
              label={t("Domain")}
              name="domain"
              placeholder="example.org"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              inputMode="url"
              required
              hint={t("Subdomains, such as shop.example.org, are included.")}
              problem={problems.fields.domain}
            />
          </div>
          <Button type="submit" disabled={busy} className="sm:mt-[1.625rem]">
            {busy ? t("Adding…") : t("Add domain")}
          </Button>
        </div>
      </Form>
    </Section>
  );
}
