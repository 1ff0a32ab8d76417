import type { Metadata } from "next";
import { Button } from "@/components/ui/button";
import { db } from "@/lib/platform/db";
import { primaryDomainOf } from "@/lib/sites/notices";
import { endingLinks, readEnding } from "@/lib/sites/reports/subscriptions";

export const metadata: Metadata = { title: "No more reports", referrer: "no-referrer", robots: { index: false } };

interface Props {
  params: Promise<{ token: string }>;
  searchParams: Promise<{ done?: string | string[] }>;
}

/** Ends a report by mail, without a sign-in. Nothing ends by opening it alone: programs that look for harm open links too. */
export default async function UnsubscribePage({ params, searchParams }: Props) {
  const [{ token }, { done }] = await Promise.all([params, searchParams]);
  const ending = readEnding(token);
  if (!ending) {
    return (
      <>
        <h1 className="text-2xl font-semibold">This link is not whole</h1>
        <p className="mt-1 text-muted">Copy all of it from the letter, or end the reports on your account’s page.</p>
      </>
    );
  }
  const report = `The ${ending.cadence} report of ${await primaryDomainOf(db(), ending.siteId)}`;
  if (done !== undefined) {
    return (
      <>
        <h1 className="text-2xl font-semibold">No more of these</h1>
        <p className="mt-1 break-words text-muted">
          {report} comes no more. On your account’s page you can ask for it again.
        </p>
      </>
    );
  }
  return (
    <>
      <h1 className="text-2xl font-semibold">No more reports?</h1>
      <p className="mt-1 mb-6 break-words text-muted">{report} would come no more. Nothing else changes.</p>
      <form method="post" action={`${new URL(endingLinks(token).oneClick).pathname}?page`}>
        <Button type="submit">End it</Button>
      </form>
    </>
  );
}
