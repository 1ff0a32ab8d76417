import type { TranslatedLanguage } from "@/lib/texts/languages";
import { addCatalogue, type Catalogue } from "@/lib/texts/translate";
import de from "./de.json" with { type: "json" };
import es from "./es.json" with { type: "json" };

/** All translations. Browsers load only the one that their page needs. */
export const CATALOGUES: Record<TranslatedLanguage, Catalogue> = { de, es };

/** Makes all languages known to this thread. */
export function addCatalogues(): void {
  addCatalogue("de", de);
  addCatalogue("es", es);
}
