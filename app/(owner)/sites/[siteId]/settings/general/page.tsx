import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { manages } from "@/lib/contract/vocabulary";
import { env } from "@/lib/platform/env";
import { signedInOwner, siteOrNotFound } from "../../../../access";
import { currencyChoices } from "../currencies";
import { SettingsFrame } from "../frame";
import { GeneralForm } from "./general-form";

export const metadata: Metadata = { title: "General" };

export default async function GeneralPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const owner = await signedInOwner(`/sites/${siteId}/settings/general`);
  const site = await siteOrNotFound(owner, siteId);
  if (!manages(site.role)) notFound();
  return (
    <SettingsFrame site={site} page="general">
      <GeneralForm
        site={site}
        shareUrl={`${env().BASE_URL}/share/${site.domain}`}
        zones={["UTC", ...Intl.supportedValuesOf("timeZone")]}
        currencies={currencyChoices()}
      />
    </SettingsFrame>
  );
}
