/** Names of languages. Server only, because the names of `Intl` differ between browsers. */

const names = new Map<string, Intl.DisplayNames>();

function namesIn(language: string): Intl.DisplayNames {
  const options = { type: "language", languageDisplay: "standard", fallback: "code" } as const;
  const known = names.get(language) ?? new Intl.DisplayNames(language, options);
  names.set(language, known);
  return known;
}

/**
 * Returns the name of a language by its tag (BCP 47), such as "English (United Kingdom)"; any other text as it is.
 *
 * @param language one of the interface, in which the name is; answers of the API are English
 */
export const languageName = (tag: string, language = "en"): string =>
  TAG.test(tag) ? (namesIn(language).of(tag) ?? tag) : tag;

/** Tags as they are stored: a language, and a region. */
const TAG = /^[a-z]{2,3}(?:-(?:[A-Z]{2}|\d{3}))?$/;
