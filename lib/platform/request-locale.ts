import { AsyncLocalStorage } from "node:async_hooks";
import { localeOf } from "@/lib/platform/locale";
import { processWide } from "@/lib/platform/process-wide";

/** `currentLocale` reads it. */
const locales = processWide("locale", () => new AsyncLocalStorage<string>());

/** Answers a request: everything that is rendered for it is written in the locale of its `Accept-Language`. */
export const withLocale = <T>(acceptLanguage: string | undefined, answer: () => T): T =>
  locales.run(localeOf(acceptLanguage), answer);
