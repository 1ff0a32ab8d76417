import type { Metadata } from "next";
import { legibleHost } from "@/lib/platform/legible-host";
import { t } from "@/lib/texts/translate";
import { openSettings, type SettingsProps } from "../access";
import { currencyChoices } from "../currencies";
import { SettingsFrame } from "../frame";
import { GeneralForm } from "./general-form";

export const generateMetadata = (): Metadata => ({ title: t("General") });

export default async function GeneralPage(props: SettingsProps) {
  const { site } = await openSettings("general", props);
  return (
    <SettingsFrame site={site} page="general">
      <GeneralForm
        site={site}
        domain={legibleHost(site.domain)}
        zones={["UTC", ...Intl.supportedValuesOf("timeZone")]}
        currencies={currencyChoices()}
      />
    </SettingsFrame>
  );
}
