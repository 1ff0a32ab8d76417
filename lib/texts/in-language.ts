import { localeOf } from "@/lib/platform/locale";
import { requestLocales } from "@/lib/platform/request-locale";
import { isLanguage } from "@/lib/texts/languages";

/**
 * Runs `write` in a person's language: texts, numbers and dates. For emails, whose reader is another one than that of the page.
 *
 * @param language the one that the reader chose; null runs it in that of the current request
 */
export const inLanguage = <Written>(language: string | null, write: () => Written): Written =>
  isLanguage(language ?? undefined) ? requestLocales.run(localeOf(undefined, language as string), write) : write();
