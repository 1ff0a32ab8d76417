import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ButtonLink } from "@/components/ui/button";
import { openReset } from "@/lib/account/reset";
import { waysToSignIn } from "@/lib/auth/ways";
import { NewPasswordForm } from "./new-password-form";

export const metadata: Metadata = { title: "Choose a new password", referrer: "no-referrer" };

export default async function NewPasswordPage({ params }: { params: Promise<{ token: string }> }) {
  if (!waysToSignIn().password) redirect("/login");
  const { token } = await params;
  const reset = await openReset(token, new Date());
  if (!reset) {
    return (
      <>
        <h1 className="text-2xl font-semibold">This link no longer works</h1>
        <p className="mt-1 mb-6 text-muted">
          It works once, for an hour after it was sent, and only until the password is changed. A link that takes an
          account back after its address was changed works for three days.
        </p>
        <ButtonLink href="/reset" className="w-full">
          Get a new link
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">{reset.restores ? "Take your account back" : "Choose a new password"}</h1>
      <p className="mt-1 mb-6 break-words text-muted">
        For {reset.email}. {reset.restores && "Your account gets this address again. "}
        You will be signed out everywhere, and passkeys of the account are removed.
      </p>
      <NewPasswordForm token={token} email={reset.email} code={reset.code} />
    </>
  );
}
