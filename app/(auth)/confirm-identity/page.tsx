import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { signedInOwner } from "@/app/(owner)/access";
import { Notice } from "@/components/ui/notice";
import { waysToSignIn } from "@/lib/auth/ways";
import { t } from "@/lib/texts/translate";
import { ConfirmWithProvider } from "./confirm-with-provider";

export const generateMetadata = (): Metadata => ({ title: t("Confirm it’s you") });

/** Where a signed-in person proves themselves at the provider, in a tab of its own. */
export default async function ConfirmIdentityPage({ searchParams }: { searchParams: Promise<{ done?: string }> }) {
  const { done } = await searchParams;
  const owner = await signedInOwner();
  const { provider } = waysToSignIn();
  if (provider === null || !owner.ways.provider) redirect("/account");
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Confirm it’s you")}</h1>
      <p className="mt-1 mb-6 break-words text-muted">{t("You are signed in as {email}.", { email: owner.email })}</p>
      {done === "yes" ? (
        <Notice tone="good">
          {t("That worked. Close this tab, and continue in the other one within five minutes.")}
        </Notice>
      ) : (
        <div className="card space-y-4 p-5">
          {done === "no" && (
            <Notice>
              {t(
                "{provider} did not confirm that it is you. Enter your credentials there again, for the same account.",
                { provider },
              )}
            </Notice>
          )}
          {done === "unsaid" && (
            <Notice>
              {t(
                "{provider} does not say when you proved yourself there. Sign out and in again, then continue within ten minutes, or add a passkey on your account page.",
                { provider },
              )}
            </Notice>
          )}
          <ConfirmWithProvider provider={provider} />
        </div>
      )}
    </>
  );
}
