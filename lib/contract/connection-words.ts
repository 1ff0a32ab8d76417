import { translatorOf } from "@/lib/texts/known-texts";
import { msg } from "@/lib/texts/translate";

/** What operations say of connections to Google and Bing: in English, with the name of the provider. */
export const CONNECTION_SENTENCES = {
  not_configured: msg("This service is not set up for {name}: its operator has not registered it there."),
  not_set_up: msg("This service is not set up for {name}. Its operator must register it there first."),
  not_connected: msg("This site is not connected to {name}. An owner of the site can connect it."),
  fetched: msg("Fetched every night."),
  begins: msg("Connected. The first numbers are being fetched."),
  // Later calls may succeed: the connection stays, and the next fetch continues.
  quota: msg("{name} has answered enough for now. The next fetch continues where this one stopped."),
  unreachable: msg("{name} cannot be reached at the moment. It is tried again."),
  malformed: msg("{name} has answered what its documentation does not describe. It is tried again."),
  setup: msg(
    "{name} refuses this service, not your account. Its operator must check the client id, its secret, and that the API is enabled there.",
  ),
  // Only a person can mend it, by connecting again.
  revoked: msg("{name} no longer accepts the consent: it was revoked, or it expired. Connect it again."),
  no_access: msg(
    "The account that consented no longer has access to the property at {name}. Give it access there, or connect another account.",
  ),
  left: msg("The person who connected it is no longer a member of this site. Connect it again."),
  unreadable: msg("The stored consent cannot be decrypted, because APP_SECRETS has changed. Connect it again."),
} as const;

/**
 * Returns a sentence about a connection in English, for operations. A newer version may have stored a key that is unknown here.
 *
 * @param name of the provider
 */
export const connectionSentence = (key: keyof typeof CONNECTION_SENTENCES, name: string): string =>
  (CONNECTION_SENTENCES[key] ?? CONNECTION_SENTENCES.malformed).replace("{name}", () => name);

/** Returns a sentence about a connection in the reader's language. */
export const connectionInWords = translatorOf(Object.values(CONNECTION_SENTENCES));
