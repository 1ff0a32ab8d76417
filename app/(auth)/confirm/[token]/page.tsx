import type { Metadata } from "next";
import { signedInOwner } from "@/app/(owner)/access";
import { ButtonLink } from "@/components/ui/button-link";
import { t } from "@/lib/texts/translate";
import { ConfirmButton } from "./confirm-button";

export const generateMetadata = (): Metadata => ({ title: t("Confirm your email address"), referrer: "no-referrer" });

/**
 * Page of the emailed link that confirms an older account's address. Only the button confirms, not opening the link.
 */
export default async function ConfirmPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  const owner = await signedInOwner();
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Confirm your email address")}</h1>
      <p className="mt-1 mb-6 break-words text-muted">{t("You are signed in as {email}.", { email: owner.email })}</p>
      {owner.confirmed ? (
        <div className="card space-y-4 p-5">
          <p className="text-sm">{t("This address is confirmed.")}</p>
          <ButtonLink href="/sites" className="w-full">
            {t("Your sites")}
          </ButtonLink>
        </div>
      ) : (
        <ConfirmButton token={token} />
      )}
    </>
  );
}
