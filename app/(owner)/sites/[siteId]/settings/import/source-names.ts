import { OWN_EVENTS, SERVICE_TITLES } from "@/lib/contract/import-services";
import { currentLanguage, t } from "@/lib/texts/translate";

const TITLES: Readonly<Record<string, string>> = { ...SERVICE_TITLES, [OWN_EVENTS]: SERVICE_TITLES.footfall_totals };

/** Returns the name of a service for people. */
export const serviceTitle = (source: string | null): string =>
  (source !== null && TITLES[source]) || source || t("another service");

/** The names of all services, such as "Plausible, Umami or Footfall". */
export const allServices = (): string =>
  new Intl.ListFormat(currentLanguage() === "en" ? "en-GB" : currentLanguage(), { type: "disjunction" }).format(
    new Set(Object.values(TITLES)),
  );
