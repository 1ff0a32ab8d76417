"use client";

import { type ChangeEvent, useId, useRef, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Form } from "@/components/ui/form";
import type { ConsentRequest } from "@/lib/oauth/consent";
import { t } from "@/lib/texts/translate";

/** Formats typed or pasted text as XXXX-XXXX. */
function formatCode(typed: string): string {
  const characters = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return characters.length > 4 ? `${characters.slice(0, 4)}-${characters.slice(4, 8)}` : characters;
}

export function CodeForm({ onFound }: { onFound(question: ConsentRequest): void }) {
  const { perform, busy, problems } = useAction("device.find", {
    fields: ["user_code"],
    fieldOfCode: { not_found: "user_code", role_denied: "user_code" },
  });
  const [code, setCode] = useState("");
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const problem = problems.fields.user_code;

  function type({ target }: ChangeEvent<HTMLInputElement>) {
    // Formats only at the end of the text: otherwise the cursor would jump while the middle is edited.
    setCode(target.selectionStart === target.value.length ? formatCode(target.value) : target.value);
  }

  async function submit() {
    const found = await perform({ user_code: code });
    if (found) onFound(found as ConsentRequest);
    else field.current?.select();
  }

  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Connect an agent")}</h1>
      <p className="mt-1 mb-6 text-muted">{t("Your agent shows you a code. Enter it here to see what it requests.")}</p>
      <Form problem={problems.message} onSubmit={submit} className="card space-y-4 p-5">
        <div className="space-y-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            {t("Code")}
          </label>
          <input
            ref={field}
            id={id}
            // biome-ignore lint/a11y/noAutofocus: it is the only field of the page
            autoFocus
            value={code}
            onChange={type}
            placeholder={t("XXXX-XXXX")}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
            aria-invalid={problem ? true : undefined}
            aria-describedby={`${id}-note`}
            className="h-16 w-full rounded-lg border border-line-strong bg-surface text-center font-mono text-2xl tracking-[0.2em] text-ink uppercase placeholder:text-muted/50 aria-invalid:border-bad sm:text-3xl"
          />
          <p
            id={`${id}-note`}
            role={problem ? "alert" : undefined}
            className={`text-sm ${problem ? "text-bad" : "text-muted"}`}
          >
            {problem ?? t("Eight letters, with or without the dash.")}
          </p>
        </div>
        <Button type="submit" disabled={busy || code === ""} className="w-full">
          {busy ? t("Checking…") : t("Continue")}
        </Button>
      </Form>
      <p className="mt-4 text-sm text-muted">
        {t(
          "Only enter the code of an agent that you are using right now. Someone who sends you a code is asking for access to your sites.",
        )}
      </p>
    </>
  );
}
