"use client";

import { useRouter } from "next/navigation";
import { useAction } from "@/components/actions/actions";
import { useRemoval, useUndo } from "@/components/actions/removal";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { rich } from "@/components/ui/rich";
import { RowButton } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";
import { WEBSITE_IDS } from "./website-ids";

/** Lists the website ids of Umami that count in the site, with a form to map another one. */
export function ComingFromUmami({ siteId, ids }: { siteId: number; ids: string[] }) {
  const router = useRouter();
  const { perform, busy, problems } = useAction("sites.aliases.set", { fields: ["alias"] });
  const idOf = (id: string) => ({ site_id: siteId, alias: id });
  const { shown, remove } = useRemoval("sites.aliases.delete", ids, (id) => id, idOf);
  const offerUndo = useUndo("sites.aliases.set", idOf);

  async function submit(formData: FormData, form: HTMLFormElement) {
    if (!(await perform(idOf(String(formData.get("alias")))))) return;
    form.reset();
    router.refresh();
  }

  async function removeId(id: string) {
    if (await remove(id)) offerUndo(t("Website id removed."), id);
  }

  return (
    <div id={WEBSITE_IDS} className="scroll-mt-20">
      <Section
        title={t("Coming from Umami")}
        about={t(
          "Keep your tags and code: change only their host to this server, and enter the website id that they send.",
        )}
      >
        <Rows empty={t("No website id is mapped to this site.")}>
          {shown.map((id) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5">
              <p className="min-w-0 flex-1 basis-48 font-mono text-sm break-all">{id}</p>
              <RowButton action={t("Remove")} name={t("website id {id}", { id })} onClick={() => removeId(id)} />
            </li>
          ))}
        </Rows>
        <Form problem={problems.message} onSubmit={submit}>
          <div className="mt-4 flex flex-wrap items-start gap-3">
            <div className="min-w-0 flex-1 basis-56">
              <Field
                label={t("Website id")}
                name="alias"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                hint={t("The data-website-id of the tag. Takes effect within 10 seconds.")}
                required
                problem={problems.fields.alias}
              />
            </div>
            <Button type="submit" disabled={busy} className="sm:mt-[1.625rem]">
              {t("Map to this site")}
            </Button>
          </div>
          <p className="text-sm text-muted">
            {rich("<link>Coming from Umami</link> says what stays, and which numbers differ.", {
              link: (text) => (
                <a href="/docs/from-umami" className="text-accent underline underline-offset-2">
                  {text}
                </a>
              ),
            })}
          </p>
        </Form>
      </Section>
    </div>
  );
}
