"use client";

import { type ReactNode, use, useEffect } from "react";
import { loadRefusals } from "@/components/ui/refusals";
import { setPageLocale } from "@/lib/platform/locale";
import { languageOf, type TranslatedLanguage } from "@/lib/texts/languages";
import { addCatalogue } from "@/lib/texts/translate";

/**
 * Renders `children` in the server's locale: texts, numbers and dates.
 * @param locale the server's `currentLocale()`
 */
export function PageLocale({ locale, children }: { locale: string; children: ReactNode }) {
  const language = languageOf(locale);
  // On the server, each request has its own locale, and all catalogues are known.
  if (typeof window !== "undefined") {
    if (language !== "en") use(loadedCatalogue(language));
    setPageLocale(locale);
  }
  // A page that was reached without loading a document is in the document of another one.
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  return children;
}

const CATALOGUES = { de: () => import("@/lib/texts/de.json"), es: () => import("@/lib/texts/es.json") };
const loads = new Map<TranslatedLanguage, Promise<void>>();

function loadedCatalogue(language: TranslatedLanguage): Promise<void> {
  const load = loads.get(language) ?? loadCatalogue(language);
  loads.set(language, load);
  return load;
}

async function loadCatalogue(language: TranslatedLanguage): Promise<void> {
  const [catalogue] = await Promise.all([CATALOGUES[language](), loadRefusals()]);
  addCatalogue(language, catalogue.default);
}
