"use client";

import { useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Form } from "@/components/ui/form";
import { t } from "@/lib/texts/translate";

/** Asks for the password of a private link. */
export function UnlockForm({ secret }: { secret: string }) {
  const { perform, problems } = useAction("links.unlock", { fields: ["password"] });
  const [busy, setBusy] = useState(false);

  async function submit(formData: FormData) {
    setBusy(true);
    if (await perform({ secret, password: String(formData.get("password") ?? "") })) window.location.reload();
    else setBusy(false);
  }

  return (
    <div className="mx-auto max-w-sm py-10 sm:py-16">
      <h1 className="text-2xl font-semibold">{t("This link has a password")}</h1>
      <p className="mt-1 mb-6 text-muted">{t("The person who sent you the link can tell you the password.")}</p>
      {/* method="post" keeps the password out of the URL if the form is submitted before our script runs. */}
      <Form problem={problems.message} onSubmit={submit} method="post" className="card space-y-4 p-5">
        <Field
          label={t("Password")}
          name="password"
          type="password"
          autoComplete="off"
          required
          problem={problems.fields.password}
        />
        <Button type="submit" disabled={busy} className="w-full">
          {busy ? t("Opening…") : t("Open")}
        </Button>
      </Form>
    </div>
  );
}
