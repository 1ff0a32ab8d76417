import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { openLink } from "@/lib/sites/reports/recipients";
import { t } from "@/lib/texts/translate";

export const generateMetadata = (): Metadata => ({
  title: t("Confirm"),
  referrer: "no-referrer",
  robots: { index: false },
});

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<{ done?: string | string[] }>;
}

/** Confirms an address that gets emails of a site, without an account. Only the button does it: scanners open links too. */
export default async function ConfirmRecipientPage({ params, searchParams }: Props) {
  const [{ token }, { done }] = await Promise.all([params, searchParams]);
  if (done !== undefined) {
    return (
      <>
        <h1 className="text-2xl font-semibold">{t("Confirmed")}</h1>
        <p className="mt-1 text-muted">{t("You get the emails from now on. Each has a link to unsubscribe.")}</p>
      </>
    );
  }
  const found = await openLink(token, new Date());
  if (!found) {
    return (
      <>
        <h1 className="text-2xl font-semibold">{t("This link is used or has expired")}</h1>
        <p className="mt-1 text-muted">{t("If you still want the emails, ask who added you to add you again.")}</p>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Get emails about {domain}?", { domain: found.domain })}</h1>
      <p className="mt-1 mb-6 break-words text-muted">
        {t("Reports and alerts of this site would be sent to {email}. You can unsubscribe at any time.", {
          email: found.email,
        })}
      </p>
      <form method="post" action={`/api/recipients/${token}`}>
        <Button type="submit">{t("Confirm")}</Button>
      </form>
    </>
  );
}
