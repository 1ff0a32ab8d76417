import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ButtonLink } from "@/components/ui/button-link";
import { openSignup } from "@/lib/auth/signup";
import { waysToSignIn } from "@/lib/auth/ways";
import { t } from "@/lib/texts/translate";
import { FinishForm } from "./finish-form";

export const generateMetadata = (): Metadata => ({ title: t("Choose your password"), referrer: "no-referrer" });

export default async function FinishSignupPage({ params }: { params: Promise<{ token: string }> }) {
  if (!waysToSignIn().password) redirect("/signup");
  const { token } = await params;
  const signup = await openSignup(token, new Date());
  if (!signup) {
    return (
      <>
        <h1 className="text-2xl font-semibold">{t("This link no longer works")}</h1>
        <p className="mt-1 mb-6 text-muted">{t("It works once, for 48 hours after it was sent.")}</p>
        <div className="grid gap-2">
          <ButtonLink href="/signup">{t("Sign up again")}</ButtonLink>
          <ButtonLink href="/login" look="quiet">
            {t("Sign in")}
          </ButtonLink>
        </div>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Choose your password")}</h1>
      <p className="mt-1 mb-6 break-words text-muted">{t("For your account {email}.", { email: signup.email })}</p>
      <FinishForm token={token} email={signup.email} />
    </>
  );
}
