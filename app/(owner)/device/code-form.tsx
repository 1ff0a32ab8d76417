"use client";

import { type ChangeEvent, type FormEvent, useId, useRef, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ConsentRequest } from "@/lib/oauth/consent";

/** XXXX-XXXX from whatever was typed or pasted. */
function tidy(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4, 8)}` : letters;
}

export function CodeForm({ onFound }: { onFound(question: ConsentRequest): void }) {
  const { perform, busy, problems } = useAction("device.find", { not_found: "user_code", role_denied: "user_code" });
  const [code, setCode] = useState("");
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const problem = problems.fields.user_code;

  function type({ target }: ChangeEvent<HTMLInputElement>) {
    // Whoever corrects a letter in the middle keeps the cursor there.
    setCode(target.selectionStart === target.value.length ? tidy(target.value) : target.value);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const found = await perform({ user_code: code });
    if (found) onFound(found as ConsentRequest);
    else field.current?.select();
  }

  return (
    <>
      <h1 className="text-2xl font-semibold">Connect an agent</h1>
      <p className="mt-1 mb-6 text-muted">Your agent shows you a code. Enter it here to see what it asks for.</p>
      <form onSubmit={submit} noValidate className="card space-y-4 p-5">
        {problems.message && <Notice>{problems.message}</Notice>}
        <div className="space-y-1.5">
          <label htmlFor={id} className="text-sm font-medium">
            Code
          </label>
          <input
            ref={field}
            id={id}
            // biome-ignore lint/a11y/noAutofocus: it is the only thing to do on this page
            autoFocus
            value={code}
            onChange={type}
            placeholder="XXXX-XXXX"
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
            {problem ?? "Eight letters; small or capital, with or without the dash."}
          </p>
        </div>
        <Button type="submit" disabled={busy || code === ""} className="w-full">
          {busy ? "Looking…" : "Go on"}
        </Button>
      </form>
      <p className="mt-4 text-sm text-muted">
        Only enter a code of an agent that you are using right now. Someone who sends you one wants into your sites.
      </p>
    </>
  );
}
