import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { isOnThisMachine } from "@/app/browser-address";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";
import { ownPath } from "@/lib/auth/next-path";
import { currentOwner } from "@/lib/auth/session";
import { readSignup } from "@/lib/auth/signup";
import { waysToSignIn } from "@/lib/auth/ways";
import { deliversEmail } from "@/lib/email/mailer";
import { msg, t } from "@/lib/texts/translate";
import { OtherWays } from "../other-ways";
import { FirstAccountForm } from "./first-account-form";
import { FirstByProvider } from "./first-by-provider";
import { SignupForm } from "./signup-form";

export const generateMetadata = (): Metadata => ({ title: t("Create an account") });

export default async function SignupPage({ searchParams }: { searchParams: Promise<{ next?: string }> }) {
  const next = ownPath((await searchParams).next);
  if (await currentOwner()) redirect(next);
  const state = await readSignup();
  const { password, provider } = waysToSignIn();
  const needsToken = !(await isOnThisMachine());
  const byProvider = t("With your account at {provider}.", { provider: provider ?? "" });
  const open = !password ? byProvider : t(deliversEmail() ? ABOUT.open : NO_MAIL_SERVER);
  const about = state === "open" ? open : t(ABOUT[state]);
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Create an account")}</h1>
      <p className="mt-1 mb-6 text-muted">{about}</p>
      {state === "first" &&
        (password ? (
          <FirstAccountForm next={next} needsToken={needsToken} />
        ) : (
          <FirstByProvider next={next} needsToken={needsToken} provider={provider ?? ""} />
        ))}
      {state === "open" && (
        <div className="space-y-4">
          {password && <SignupForm next={next} sendsEmail={deliversEmail()} />}
          <OtherWays provider={provider} below={password} next={next} />
        </div>
      )}
      {state === "closed" && (
        <Notice tone="warn">{t("Sign-up is closed. Ask the operator of this service for an account.")}</Notice>
      )}
      {state !== "first" && (
        <p className="mt-6 text-center text-sm text-muted">
          {rich("Have an account? <link>Sign in</link>", {
            link: (text) => (
              <Link href={`/login?next=${encodeURIComponent(next)}`} className="font-medium text-accent underline">
                {text}
              </Link>
            ),
          })}
        </p>
      )}
    </>
  );
}

const NO_MAIL_SERVER = msg(
  "The link to choose your password comes from the operator: this service has no mail server.",
);
const ABOUT = {
  first: msg("This is the first account: it administers the service."),
  open: msg("You get an email with a link to choose your password."),
  closed: msg("By invitation only."),
};
