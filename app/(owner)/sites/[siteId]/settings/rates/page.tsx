import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { manages } from "@/lib/contract/vocabulary";
import { localDay } from "@/lib/platform/time";
import { listRates } from "@/lib/sites/rates";
import { signedInOwner, siteOrNotFound } from "../../../../access";
import { currencyChoices } from "../currencies";
import { SettingsFrame } from "../frame";
import { AddRate } from "./add-rate";
import { Rates } from "./rates";

export const metadata: Metadata = { title: "Exchange rates" };

export default async function RatesPage({ params }: { params: Promise<{ siteId: string }> }) {
  const { siteId } = await params;
  const owner = await signedInOwner(`/sites/${siteId}/settings/rates`);
  const site = await siteOrNotFound(owner, siteId);
  if (!manages(site.role)) notFound();
  const reporting = site.reporting_currency;
  return (
    <SettingsFrame site={site} page="rates">
      <Rates siteId={site.site_id} reporting={reporting} rates={await listRates(site.site_id)} />
      <AddRate
        siteId={site.site_id}
        currencies={currencyChoices().filter(({ value }) => value !== "EUR")}
        defaultCurrency={reporting === "EUR" ? "USD" : reporting}
        today={localDay(new Date(), site.timezone).toString()}
      />
    </SettingsFrame>
  );
}
