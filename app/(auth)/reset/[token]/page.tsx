import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ButtonLink } from "@/components/ui/button-link";
import { openReset } from "@/lib/account/reset";
import { waysToSignIn } from "@/lib/auth/ways";
import { t } from "@/lib/texts/translate";
import { NewPasswordForm } from "./new-password-form";

export const generateMetadata = (): Metadata => ({ title: t("Choose a new password"), referrer: "no-referrer" });

export default async function NewPasswordPage({ params }: { params: Promise<{ token: string }> }) {
  if (!waysToSignIn().password) redirect("/login");
  const { token } = await params;
  const reset = await openReset(token, new Date());
  if (!reset) {
    return (
      <>
        <h1 className="text-2xl font-semibold">{t("This link no longer works")}</h1>
        <p className="mt-1 mb-6 text-muted">
          {t(
            "It works once, for an hour after it was sent, and only until the password is changed. A link that takes an account back after its address was changed works for three days.",
          )}
        </p>
        <ButtonLink href="/reset" className="w-full">
          {t("Get a new link")}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">
        {reset.restores ? t("Take your account back") : t("Choose a new password")}
      </h1>
      <p className="mt-1 mb-6 break-words text-muted">
        {t("For {email}.", { email: reset.email })} {reset.restores && `${t("Your account gets this address again.")} `}
        {t("You will be signed out everywhere, and passkeys of the account are removed.")}
      </p>
      <NewPasswordForm token={token} email={reset.email} code={reset.code} />
    </>
  );
}
