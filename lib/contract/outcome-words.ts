import { translatorOf } from "@/lib/texts/known-texts";
import { msg } from "@/lib/texts/translate";

/** Returns what became of a message to a webhook or chat in the reader's language: it is stored as an English sentence. */
export const outcomeInWords = translatorOf([
  msg("Answered {status}"),
  msg("Could not be reached"),
  msg("Queued"),
  msg("The address has not confirmed"),
  msg("The site has no webhook"),
  msg("Another process sends it"),
]);
