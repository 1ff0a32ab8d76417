"use client";

import { type FormEvent, useState } from "react";
import { useDeed } from "@/components/deeds/deeds";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";

/** The name of the site is typed, not clicked: nobody deletes another site than they mean. */
export function DeleteSite({ site }: { site: { siteId: number; domain: string } }) {
  const { perform, busy, problems } = useDeed("sites.delete");
  const [wrong, setWrong] = useState<string>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("domain"));
    const meant = typed.trim().toLowerCase() === site.domain;
    setWrong(meant ? undefined : `This is not ${site.domain}.`);
    if (meant && (await perform({ site_id: site.siteId }))) window.location.assign("/sites");
  }

  return (
    <Section
      title="Delete the site"
      about="It is gone at once with its settings, its people and everything it has counted. Nothing brings it back."
    >
      <form onSubmit={submit} noValidate className="space-y-4">
        {problems.message && <Notice>{problems.message}</Notice>}
        <div className="flex flex-wrap items-start gap-3">
          <div className="min-w-0 flex-1 basis-56">
            <Field
              label={`Type ${site.domain} to go on`}
              name="domain"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              problem={wrong}
            />
          </div>
          <Button type="submit" look="danger" disabled={busy} className="sm:mt-[1.625rem]">
            {busy ? "Deleting…" : "Delete for good"}
          </Button>
        </div>
      </form>
    </Section>
  );
}
