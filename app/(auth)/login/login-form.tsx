"use client";

import Link from "next/link";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { CodeField } from "@/components/ui/code-field";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { signInAfterProvider, signInWithPassword } from "@/lib/auth/browser";
import type { CodeKind } from "@/lib/auth/person-ways";
import type { Ways } from "@/lib/auth/ways";
import { t } from "@/lib/texts/translate";
import { OtherWays } from "../other-ways";

interface Props {
  next: string;
  ways: Ways;
  /** The code that a person still needs whom the provider has named; null before that. */
  afterProvider: CodeKind | null;
}

/** Asks for the password, then for the code if the account has two-factor authentication; keeps what was typed. */
export function LoginForm({ next, ways, afterProvider }: Props) {
  const [problem, setProblem] = useState<string>();
  const [codeRequired, setCodeRequired] = useState<CodeKind | null>(afterProvider);
  const [busy, setBusy] = useState(false);
  const code = useRef<HTMLDivElement>(null);
  const asksPassword = ways.password && afterProvider === null;

  useEffect(() => {
    if (codeRequired) code.current?.querySelector("input")?.focus();
  }, [codeRequired]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const formData = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    const text = (name: string) => String(formData.get(name) ?? "");
    const answer = afterProvider
      ? await signInAfterProvider(text("code"))
      : await signInWithPassword(text("email"), text("password"), text("code"));
    if (answer.ok) return window.location.assign(next);
    // The first request for a code is not an error.
    setProblem(answer.needsCode && !codeRequired ? undefined : answer.message);
    setCodeRequired(answer.needsCode ?? codeRequired);
    setBusy(false);
  }

  function startOver() {
    setCodeRequired(null);
    setProblem(undefined);
  }

  return (
    <div className="card space-y-4 p-5">
      {(asksPassword || codeRequired) && (
        // method="post" keeps the password out of the URL if the form is submitted before our script runs.
        <form onSubmit={submit} method="post" className="space-y-4">
          {problem && <Notice>{problem}</Notice>}
          {asksPassword && (
            <div className={codeRequired ? "hidden" : "space-y-4"}>
              <Field label={t("Email")} name="email" type="email" autoComplete="username" required />
              <Field label={t("Password")} name="password" type="password" autoComplete="current-password" required />
            </div>
          )}
          {codeRequired && (
            <div ref={code}>
              <CodeField
                kind={codeRequired}
                autoCapitalize="characters"
                {...(codeRequired === "recovery" && {
                  hint: t("Use your passkey below, or one of the codes that you saved. Each works once."),
                })}
              />
            </div>
          )}
          <Button type="submit" disabled={busy} className="w-full">
            {busy ? t("Signing in…") : t("Sign in")}
          </Button>
          <p className="text-center text-sm">
            {afterProvider ? (
              <a href={`/login?next=${encodeURIComponent(next)}`} className="text-accent underline">
                {t("Use another account")}
              </a>
            ) : codeRequired ? (
              <button type="button" onClick={startOver} className="text-accent underline">
                {t("Use another account")}
              </button>
            ) : (
              <Link href="/reset" className="text-accent underline">
                {t("Forgot your password?")}
              </Link>
            )}
          </p>
        </form>
      )}
      <OtherWays
        provider={codeRequired ? null : ways.provider}
        passkeys={ways.passkeys}
        below={asksPassword || codeRequired !== null}
        next={next}
      />
    </div>
  );
}
