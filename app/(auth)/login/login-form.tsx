"use client";

import Link from "next/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { signInWithPassword } from "@/lib/auth/browser";

/** Password first; who has a second step set up is then asked for its code, and nothing that was typed is lost. */
export function LoginForm({ next }: { next: string }) {
  const [problem, setProblem] = useState<string>();
  const [codeAsked, setCodeAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const code = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (codeAsked) code.current?.querySelector("input")?.focus();
  }, [codeAsked]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    const text = (name: string) => String(typed.get(name) ?? "");
    const answer = await signInWithPassword(text("email"), text("password"), text("code"));
    if (answer.ok) return window.location.assign(next);
    // Being asked for the code the first time is no mistake of theirs.
    setProblem(answer.needsCode && !codeAsked ? undefined : answer.message);
    setCodeAsked(answer.needsCode === true || codeAsked);
    setBusy(false);
  }

  function startOver() {
    setCodeAsked(false);
    setProblem(undefined);
  }

  return (
    // The method keeps a password out of the address even when someone is faster than our script.
    <form onSubmit={submit} method="post" className="card space-y-4 p-5">
      {problem && <Notice>{problem}</Notice>}
      <div className={codeAsked ? "hidden" : "space-y-4"}>
        <Field label="E-mail" name="email" type="email" autoComplete="username" required />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      </div>
      {codeAsked && (
        <div ref={code}>
          <Field
            label="Code from your app"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            required
            hint="Six digits, or one of your recovery codes."
          />
        </div>
      )}
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Signing in…" : "Sign in"}
      </Button>
      <p className="text-center text-sm">
        {codeAsked ? (
          <button type="button" onClick={startOver} className="text-accent underline">
            Use another account
          </button>
        ) : (
          <Link href="/reset" className="text-accent underline">
            Forgot your password?
          </Link>
        )}
      </p>
    </form>
  );
}
