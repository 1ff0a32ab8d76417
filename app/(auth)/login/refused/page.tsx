import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button-link";
import { type ProviderRefusal, SIGN_IN_REFUSALS } from "@/lib/auth/provider-sign-in";
import { waysToSignIn } from "@/lib/auth/ways";
import { t } from "@/lib/texts/translate";

export const generateMetadata = (): Metadata => ({ title: t("Not signed in") });

/** Why the provider's answer signed nobody in, and what the person can do. */
export default async function RefusedPage({ searchParams }: { searchParams: Promise<{ why?: string }> }) {
  const { why } = await searchParams;
  const known = SIGN_IN_REFUSALS.find((one) => one === why) ?? "failed";
  const { provider, password } = waysToSignIn();
  const { title, text } = words(known, provider ?? t("the provider"), password);
  return (
    <>
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p className="mt-1 mb-6 break-words text-muted">{text}</p>
      {known === "setup" ? (
        <ButtonLink href="/signup" className="w-full">
          {t("Create the first account")}
        </ButtonLink>
      ) : (
        <ButtonLink href="/login" className="w-full">
          {t("Back to sign-in")}
        </ButtonLink>
      )}
    </>
  );
}

function words(why: ProviderRefusal, provider: string, password: boolean): { title: string; text: string } {
  switch (why) {
    case "cancelled":
      return {
        title: t("You did not sign in"),
        text: t("You cancelled it at {provider}. Nothing was changed.", { provider }),
      };
    case "failed":
      return {
        title: t("Signing in failed"),
        text: t(
          "The answer of {provider} could not be used. Try again. If that happens again, tell the operator of this service.",
          { provider },
        ),
      };
    case "no_address":
      return {
        title: t("No email address"),
        text: t(
          "{provider} did not say which email address you have. Add one to your account there, or ask its administrator to share it with this service.",
          { provider },
        ),
      };
    case "unverified":
      return {
        title: t("Your address is not verified"),
        text: t(
          "{provider} has not verified your email address, so it cannot open an account here. Verify the address there, then sign in again.",
          { provider },
        ),
      };
    case "domain":
      return {
        title: t("This address cannot sign in"),
        text: t(
          "The operator of this service allows addresses of certain domains only. Choose another account at {provider}, or ask the operator.",
          { provider },
        ),
      };
    case "unconfirmed":
      return {
        title: t("Confirm your address first"),
        text: password
          ? t(
              "An account with your address exists, but nobody has confirmed that it is theirs. Sign in with its password and choose “Send confirmation email” on the account page, or choose a new password by email. Then {provider} can sign you in.",
              { provider },
            )
          : t(
              "An account with your address exists, but nobody has confirmed that it is theirs. Ask the operator of this service to let you confirm it.",
            ),
      };
    case "other_identity":
      return {
        title: t("Linked to another identity"),
        text: password
          ? t(
              "The account with your address is linked to another identity at {provider}. Sign in with your password, unlink it on the account page, then continue with {provider} again.",
              { provider },
            )
          : t(
              "The account with your address is linked to another identity at {provider}. Sign in with a passkey, unlink it on the account page, then continue with {provider} again.",
              { provider },
            ),
      };
    case "closed":
      return {
        title: t("No account yet"),
        text: t(
          "You have no account here, and sign-up is closed. Ask the operator of this service, or somebody who can invite you.",
        ),
      };
    case "disabled":
      return {
        title: t("Your account is disabled"),
        text: t("The administrator of this service has disabled it. Ask them to enable it; nothing was deleted."),
      };
    case "setup":
      return {
        title: t("This service has no account yet"),
        text: t(
          "The first account administers it. Create it with the setup token that the server printed when it started.",
        ),
      };
  }
}
