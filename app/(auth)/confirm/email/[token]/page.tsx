import type { Metadata } from "next";
import { signedInOwner } from "@/app/(owner)/access";
import { ButtonLink } from "@/components/ui/button-link";
import { openEmailChange } from "@/lib/account/change-email";
import { t } from "@/lib/texts/translate";
import { ConfirmChange } from "./confirm-change";

export const generateMetadata = (): Metadata => ({
  title: t("Confirm your new email address"),
  referrer: "no-referrer",
});

/** Page of the link that was sent to a new address. Only the button changes it, not opening the link. */
export default async function ConfirmChangePage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const owner = await signedInOwner();
  const email = await openEmailChange(owner.personId, token, new Date());
  if (email === null) {
    return (
      <>
        <h1 className="text-2xl font-semibold">{t("This link does not work")}</h1>
        <p className="mt-1 mb-6 break-words text-muted">
          {t(
            "You are signed in as {email}. The link was used, was replaced by a later one, has expired after two days, or is of another account.",
            { email: owner.email },
          )}
        </p>
        <ButtonLink href="/account" className="w-full">
          {t("Account")}
        </ButtonLink>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Confirm your new email address")}</h1>
      <p className="mt-1 mb-6 break-words text-muted">
        {t("You sign in with {email} from now on, instead of {former}. Every other browser is signed out.", {
          email,
          former: owner.email,
        })}
      </p>
      <ConfirmChange token={token} />
    </>
  );
}
