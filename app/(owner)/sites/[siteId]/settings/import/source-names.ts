import { SERVICE_TITLES } from "@/lib/contract/import-services";
import { currentLanguage, t } from "@/lib/texts/translate";

/** Returns the name of a service for people. */
export const serviceTitle = (source: string | null): string =>
  (source !== null && (SERVICE_TITLES as Record<string, string>)[source]) || source || t("another service");

/** The names of all services, such as "Plausible, Umami or Fathom". */
export const allServices = (): string =>
  new Intl.ListFormat(currentLanguage() === "en" ? "en-GB" : currentLanguage(), { type: "disjunction" }).format(
    Object.values(SERVICE_TITLES),
  );
