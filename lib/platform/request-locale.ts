import { AsyncLocalStorage } from "node:async_hooks";
import { localeOf } from "@/lib/platform/locale";
import { processWide } from "@/lib/platform/process-wide";

/** Read by `currentLocale`. */
const locales = processWide("locale", () => new AsyncLocalStorage<string>());

/** Runs `answer` with the locale of the request's `Accept-Language`. */
export const withLocale = <T>(acceptLanguage: string | undefined, answer: () => T): T =>
  locales.run(localeOf(acceptLanguage), answer);
