import { connectionSentence } from "@/lib/contract/connection-words";
import { describeError, log } from "@/lib/platform/log";
import { SEARCH_PROVIDERS, type SearchProvider } from "@/lib/search/providers";

/** What goes wrong between this service and a provider, and what people are told of it. */

/** Later calls may succeed: the connection stays, and the next fetch continues. */
export type TemporaryFault = "quota" | "unreachable" | "malformed" | "setup";

const PROBLEMS = ["revoked", "no_access", "left", "unreadable"] as const;
/** Only a person can mend it, by connecting again. */
export type Problem = (typeof PROBLEMS)[number];

/** Returns what people are told of a fault or problem, in English. */
export const sentenceOf = (code: TemporaryFault | Problem, provider: SearchProvider): string =>
  connectionSentence(code, SEARCH_PROVIDERS[provider].name);

export const isProblem = (code: TemporaryFault | Problem): code is Problem => PROBLEMS.some((one) => one === code);

/** A call of a provider failed. It holds nothing that the provider has said, which may have secrets. */
export class ProviderFault extends Error {
  /** @param retryAfterS how many seconds the provider asks to wait. */
  constructor(
    readonly code: TemporaryFault | Problem,
    readonly retryAfterS: number | null = null,
  ) {
    super(`The provider of search data failed: ${code}`);
  }
}

/** The access token of a call is no longer valid; a new one may be. */
export class StaleToken extends Error {}

/**
 * Returns why a fetch failed. An error of our own must not stop it for ever, so it is logged with `message`, and tried again
 * as if the provider had failed.
 */
export function providerFaultOf(error: unknown, message: string): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (error instanceof StaleToken) return new ProviderFault("revoked");
  log.error(describeError(error), message);
  return new ProviderFault("unreachable");
}
