import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { ownPath } from "@/lib/auth/next-path";
import type { CodeKind } from "@/lib/auth/person-ways";
import { currentOwner } from "@/lib/auth/session";
import { needsSetup } from "@/lib/auth/setup";
import { signupIsOpen } from "@/lib/auth/signup";
import { waysToSignIn } from "@/lib/auth/ways";
import { t } from "@/lib/texts/translate";
import { LoginForm } from "./login-form";

export const generateMetadata = (): Metadata => ({ title: t("Sign in") });

export default async function LoginPage({
  searchParams,
}: {
  searchParams: Promise<{ next?: string; reset?: string; step?: string }>;
}) {
  const query = await searchParams;
  const next = ownPath(query.next);
  if (await currentOwner()) redirect(next);
  const ways = waysToSignIn();
  // Without passwords, a provider signs up and in alike; only the first account needs its own page.
  const open = ways.password ? await signupIsOpen() : await needsSetup();
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Sign in")}</h1>
      <p className="mt-1 mb-6 text-muted">{t("To your sites and dashboards.")}</p>
      {query.reset === "done" && (
        <div className="mb-4">
          <Notice tone="good">{t("Your password was changed. Sign in with the new one.")}</Notice>
        </div>
      )}
      <LoginForm next={next} ways={ways} afterProvider={stepOf(query.step)} />
      {open && (
        <p className="mt-6 text-center text-sm text-muted">
          {rich("New here? <link>Create an account</link>", {
            link: (text) => (
              <Link href={`/signup?next=${encodeURIComponent(next)}`} className="font-medium text-accent underline">
                {text}
              </Link>
            ),
          })}
        </p>
      )}
    </>
  );
}

const stepOf = (step: string | undefined): CodeKind | null => (step === "app" || step === "recovery" ? step : null);
