import { currentLanguage } from "@/lib/texts/translate";

/** Returns a translated label within a sentence: "UTM campaign", but "language". German nouns keep their capital. */
export const inSentence = (label: string): string =>
  /^[A-Z]{2}/.test(label) || currentLanguage() === "de" ? label : label.toLowerCase();
