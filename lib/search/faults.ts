import { describeError, log } from "@/lib/platform/log";
import { SEARCH_PROVIDERS, type SearchProvider } from "@/lib/search/providers";
import { translatorOf } from "@/lib/texts/known-texts";
import { msg } from "@/lib/texts/translate";

/** What goes wrong between this service and a provider, and what people are told of it. */

/** Later calls may succeed: the connection stays, and the next fetch continues. */
const TEMPORARY = {
  quota: (name: string) => `${name} has answered enough for now. The next fetch continues where this one stopped.`,
  unreachable: (name: string) => `${name} cannot be reached at the moment. It is tried again.`,
  malformed: (name: string) => `${name} has answered what its documentation does not describe. It is tried again.`,
  setup: (name: string) =>
    `${name} refuses this service, not your account. Its operator must check the client id, its secret, and that the API is enabled there.`,
} as const;

/** Only a person can mend it, by connecting again. */
const BROKEN = {
  revoked: (name: string) => `${name} no longer accepts the consent: it was revoked, or it expired. Connect it again.`,
  no_access: (name: string) =>
    `The account that consented no longer has access to the property at ${name}. Give it access there, or connect another account.`,
  left: () => "The person who connected it is no longer a member of this site. Connect it again.",
  unreadable: () => "The stored consent cannot be decrypted, because APP_SECRETS has changed. Connect it again.",
} as const;

export type TemporaryFault = keyof typeof TEMPORARY;
export type Problem = keyof typeof BROKEN;

const SENTENCES: Record<string, (name: string) => string> = { ...TEMPORARY, ...BROKEN };

/** Returns the sentence of a fault or problem in the reader's language. */
export const problemInWords = translatorOf([
  msg("{name} has answered enough for now. The next fetch continues where this one stopped."),
  msg("{name} cannot be reached at the moment. It is tried again."),
  msg("{name} has answered what its documentation does not describe. It is tried again."),
  msg(
    "{name} refuses this service, not your account. Its operator must check the client id, its secret, and that the API is enabled there.",
  ),
  msg("{name} no longer accepts the consent: it was revoked, or it expired. Connect it again."),
  msg(
    "The account that consented no longer has access to the property at {name}. Give it access there, or connect another account.",
  ),
  msg("The person who connected it is no longer a member of this site. Connect it again."),
  msg("The stored consent cannot be decrypted, because APP_SECRETS has changed. Connect it again."),
]);

/** Returns what people are told of a fault or problem, in English. */
export const sentenceOf = (code: TemporaryFault | Problem, provider: SearchProvider): string =>
  sentenceFor(code, SEARCH_PROVIDERS[provider].name);

/** Returns what people are told of a fault or problem at a service of this name. */
export const sentenceFor = (code: TemporaryFault | Problem, name: string): string =>
  (SENTENCES[code] ?? TEMPORARY.malformed)(name);

export const isProblem = (code: TemporaryFault | Problem): code is Problem => code in BROKEN;

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
