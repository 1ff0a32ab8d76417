import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "@/lib/platform/process-wide";

/** The locale of the current request, read by `currentLocale`. `observeRequests` sets it. */
export const requestLocales = processWide("locale", () => new AsyncLocalStorage<string>());
