import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { db } from "@/lib/platform/db";
import { primaryDomainOf } from "@/lib/sites/notices";
import {
  describeEnded,
  type EndedEmail,
  readUnsubscribeToken,
  unsubscribeLinks,
} from "@/lib/sites/reports/unsubscribe";
import { t } from "@/lib/texts/translate";

export const generateMetadata = (): Metadata => ({
  title: t("Unsubscribe"),
  referrer: "no-referrer",
  robots: { index: false },
});

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<{ done?: string | string[] }>;
}

/** Unsubscribes from an email report or an alert without sign-in. Only the button does it: link scanners open links too. */
export default async function UnsubscribePage({ params, searchParams }: Props) {
  const [{ token }, { done }] = await Promise.all([params, searchParams]);
  const ended = readUnsubscribeToken(token);
  if (!ended) {
    return (
      <>
        <h1 className="text-2xl font-semibold">{t("This link is incomplete")}</h1>
        <p className="mt-1 text-muted">
          {t("Copy all of it from the email, or turn the emails off in the settings of the site.")}
        </p>
      </>
    );
  }
  const found = await describeEnded(ended);
  const emails = found ? emailsOf(ended, found.rule, await primaryDomainOf(db(), found.siteId)) : t("these emails");
  if (done !== undefined) {
    return (
      <>
        <h1 className="text-2xl font-semibold">{t("Unsubscribed")}</h1>
        <p className="mt-1 break-words text-muted">{t("You no longer get {emails}.", { emails })}</p>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">{t("Unsubscribe?")}</h1>
      <p className="mt-1 mb-6 break-words text-muted">
        {t("You would no longer get {emails}. Nothing else changes.", { emails })}
      </p>
      <form method="post" action={`${new URL(unsubscribeLinks(token).oneClick).pathname}?page`}>
        <Button type="submit">{t("Unsubscribe")}</Button>
      </form>
    </>
  );
}

const emailsOf = (ended: EndedEmail, rule: string, domain: string): string =>
  ended.kind === "alert"
    ? t("alerts of the rule “{rule}” of {domain}", { rule, domain })
    : t("the {cadence, select, daily {daily} weekly {weekly} other {monthly}} report of {domain}", {
        cadence: ended.cadence,
        domain,
      });
