import { AsyncLocalStorage } from "node:async_hooks";
import { processWide } from "@/lib/platform/process-wide";

/** The locale of the request that is being answered, which `currentLocale` reads. `observeRequests` sets it. */
export const requestLocales = processWide("locale", () => new AsyncLocalStorage<string>());
