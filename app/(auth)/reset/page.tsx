import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { rich } from "@/components/ui/rich";
import { waysToSignIn } from "@/lib/auth/ways";
import { deliversEmail } from "@/lib/email/mailer";
import { t } from "@/lib/texts/translate";
import { RequestForm } from "./request-form";

export const generateMetadata = (): Metadata => ({ title: t("Forgot your password") });

export default function ResetPage() {
  if (!waysToSignIn().password) redirect("/login");
  const sendsEmail = deliversEmail();
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Forgot your password?")}</h1>
      <p className="mt-1 mb-6 text-muted">
        {sendsEmail
          ? t("You get an email with a link to choose a new one.")
          : t("You get a link to choose a new one from the operator: this service has no mail server.")}
      </p>
      <RequestForm sendsEmail={sendsEmail} />
      <p className="mt-6 text-center text-sm text-muted">
        {rich("Remembered it? <link>Sign in</link>", {
          link: (text) => (
            <Link href="/login" className="font-medium text-accent underline">
              {text}
            </Link>
          ),
        })}
      </p>
    </>
  );
}
