import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { isOnThisMachine } from "@/app/browser-address";
import { Notice } from "@/components/ui/notice";
import { ownPath } from "@/lib/auth/next-path";
import { currentOwner } from "@/lib/auth/session";
import { readSignup } from "@/lib/auth/signup";
import { deliversEmail } from "@/lib/email/mailer";
import { FirstAccountForm } from "./first-account-form";
import { SignupForm } from "./signup-form";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignupPage({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const next = ownPath((await searchParams).next);
  if (await currentOwner()) redirect(next);
  const state = await readSignup();
  return (
    <>
      <h1 className="text-2xl font-semibold">Create an account</h1>
      <p className="mt-1 mb-6 text-muted">{state === "open" && !deliversEmail() ? NO_MAIL_SERVER : ABOUT[state]}</p>
      {state === "first" && <FirstAccountForm next={next} needsToken={!(await isOnThisMachine())} />}
      {state === "open" && <SignupForm next={next} sendsEmail={deliversEmail()} />}
      {state === "closed" && (
        <Notice tone="warn">Sign-up is closed. Ask the operator of this service for an account.</Notice>
      )}
      {state !== "first" && (
        <p className="mt-6 text-center text-sm text-muted">
          Have an account?{" "}
          <Link href={`/login?next=${encodeURIComponent(next)}`} className="font-medium text-accent underline">
            Sign in
          </Link>
        </p>
      )}
    </>
  );
}

const NO_MAIL_SERVER = "The link to choose your password comes from the operator: this service has no mail server.";
const ABOUT = {
  first: "This is the first account: it administers the service.",
  open: "You get an email with a link to choose your password.",
  closed: "By invitation only.",
};
