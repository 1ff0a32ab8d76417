import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { db } from "@/lib/platform/db";
import { primaryDomainOf } from "@/lib/sites/notices";
import { readUnsubscribeToken, unsubscribeLinks } from "@/lib/sites/reports/subscriptions";

export const metadata: Metadata = { title: "Unsubscribe", referrer: "no-referrer", robots: { index: false } };

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<{ done?: string | string[] }>;
}

/** Unsubscribes from an email report without sign-in. Only the button does it: link scanners open links too. */
export default async function UnsubscribePage({ params, searchParams }: Props) {
  const [{ token }, { done }] = await Promise.all([params, searchParams]);
  const subscription = readUnsubscribeToken(token);
  if (!subscription) {
    return (
      <>
        <h1 className="text-2xl font-semibold">This link is incomplete</h1>
        <p className="mt-1 text-muted">Copy all of it from the email, or turn the reports off on your account page.</p>
      </>
    );
  }
  const report = `the ${subscription.cadence} report of ${await primaryDomainOf(db(), subscription.siteId)}`;
  if (done !== undefined) {
    return (
      <>
        <h1 className="text-2xl font-semibold">Unsubscribed</h1>
        <p className="mt-1 break-words text-muted">
          You no longer get {report}. You can turn it on again on your account page.
        </p>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">Unsubscribe?</h1>
      <p className="mt-1 mb-6 break-words text-muted">You would no longer get {report}. Nothing else changes.</p>
      <form method="post" action={`${new URL(unsubscribeLinks(token).oneClick).pathname}?page`}>
        <Button type="submit">Unsubscribe</Button>
      </form>
    </>
  );
}
