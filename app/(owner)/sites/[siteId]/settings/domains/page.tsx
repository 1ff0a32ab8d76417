import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Section } from "@/components/ui/section";
import { manages } from "@/lib/contract/vocabulary";
import { signedInOwner, siteOrNotFound } from "../../../../access";
import { SettingsFrame } from "../frame";
import { AddDomain } from "./add-domain";
import { Domains } from "./domains";

export const metadata: Metadata = { title: "Domains" };

export default async function DomainsPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const owner = await signedInOwner(`/sites/${siteId}/settings/domains`);
  const site = await siteOrNotFound(owner, siteId);
  if (!manages(site.role)) notFound();
  return (
    <SettingsFrame site={site} page="domains">
      <Domains siteId={site.site_id} domains={site.domains} />
      <AddDomain siteId={site.site_id} />
      <Section title="What the marks mean">
        <dl className="-my-2 divide-y divide-line text-sm">
          {MARKS.map(([mark, about]) => (
            <div key={mark} className="grid gap-x-4 py-2 sm:grid-cols-[6rem_1fr]">
              <dt className="font-medium">{mark}</dt>
              <dd className="text-muted">{about}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </SettingsFrame>
  );
}

const MARKS = [
  ["Primary", "The site is called by it, and so is its public dashboard. It cannot be removed."],
  ["Proven", "A DNS record or a file on it has shown that it is under your control. It stays with this site."],
  ["Not proven", "It counts all the same. Should somebody else prove it, it moves to their site; owners get a letter."],
];
