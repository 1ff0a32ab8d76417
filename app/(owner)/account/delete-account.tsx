"use client";

import Link from "next/link";
import { useAction } from "@/components/actions/actions";
import { Section } from "@/components/ui/section";
import { TypedConfirmation } from "@/components/ui/typed-confirmation";
import type { SoleSite } from "@/lib/account/delete-account";
import { signOut } from "@/lib/auth/browser";

interface Props {
  email: string;
  /** Whether this is the first account, and not the only one. */
  runsService: boolean;
  /** The sites that would be left without an owner. */
  sites: SoleSite[];
}

const ABOUT =
  "It is gone at once, with your sign-ins, your roles and your agents. Sites go on with their other owners. Nothing brings it back.";

/** The end of an account, or what stands in its way. */
export function DeleteAccount({ email, runsService, sites }: Props) {
  return (
    <Section title="Delete your account" about={ABOUT}>
      {runsService ? (
        <p className="text-sm text-muted">
          Yours is the first account: you run this service for the others. It can be deleted only as the last one.
        </p>
      ) : sites.length > 0 ? (
        <SitesFirst sites={sites} />
      ) : (
        <DeleteForm email={email} />
      )}
    </Section>
  );
}

/** What a person alone owns needs another owner, or an end of its own. */
const SitesFirst = ({ sites }: { sites: SoleSite[] }) => (
  <div className="text-sm">
    <p>
      You are the only owner of {sites.length === 1 ? "a site" : `${sites.length} sites`}. Hand each over to one of its
      members or delete it, then come back.
    </p>
    <ul className="mt-3 divide-y divide-line">
      {sites.map(({ siteId, domain }) => (
        <li key={siteId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <span className="min-w-0 font-medium break-all">{domain}</span>
          <Link href={`/sites/${siteId}/settings/danger`} prefetch={false} className="text-accent underline">
            Hand over or delete<span className="sr-only"> {domain}</span>
          </Link>
        </li>
      ))}
    </ul>
  </div>
);

function DeleteForm({ email }: { email: string }) {
  const { perform, busy, problems } = useAction("account.delete");

  async function end() {
    if (!(await perform({}))) return;
    // The session ended with the account: this only clears its cookie.
    await signOut().catch(() => {});
    window.location.assign("/");
  }

  return <TypedConfirmation name={email} busy={busy} problem={problems.message} onMeant={end} />;
}
