import type { Metadata } from "next";
import { query } from "@/app/(owner)/access";
import sitesRatesList from "@/lib/operations/sites.rates.list";
import { localDay } from "@/lib/platform/time";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { currencyChoices } from "../currencies";
import { SettingsFrame } from "../frame";
import { AddRate } from "./add-rate";
import { Rates } from "./rates";

export const generateMetadata = (): Metadata => ({ title: t("Exchange rates") });

export default async function RatesPage(props: SettingsProps) {
  const { owner, site } = await openSettings("rates", props);
  const reporting = site.reporting_currency;
  const { rates } = await query(sitesRatesList, owner, { site_id: site.site_id });
  return (
    <SettingsFrame site={site} page="rates">
      <Rates siteId={site.site_id} reporting={reporting} rates={rates} />
      <AddRate
        siteId={site.site_id}
        currencies={currencyChoices().filter(({ value }) => value !== "EUR")}
        defaultCurrency={reporting === "EUR" ? "USD" : reporting}
        today={localDay(new Date(), site.timezone).toString()}
      />
    </SettingsFrame>
  );
}
