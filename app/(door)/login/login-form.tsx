"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { signInWithPassword } from "@/lib/auth/browser";

export function LoginForm({ next }: { next: string }) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    setBusy(true);
    setProblem(undefined);
    const answer = await signInWithPassword(String(typed.get("email")), String(typed.get("password")));
    if (answer.ok) return window.location.assign(next);
    setProblem(answer.message);
    setBusy(false);
  }

  return (
    // The method keeps a password out of the address even when someone is faster than our script.
    <form onSubmit={submit} method="post" className="card space-y-4 p-5">
      {problem && <Notice>{problem}</Notice>}
      <Field label="E-mail" name="email" type="email" autoComplete="username" required />
      <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      <Button type="submit" disabled={busy} className="w-full">
        {busy ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}
