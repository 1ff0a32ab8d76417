import { SERVICE_TITLES } from "@/lib/contract/import-services";

/** Returns the name of a service for people. */
export const serviceTitle = (source: string | null): string =>
  (source !== null && (SERVICE_TITLES as Record<string, string>)[source]) || source || "another service";

/** "Plausible, Umami or Google Analytics 4". */
export const allServices = (): string =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(Object.values(SERVICE_TITLES));
