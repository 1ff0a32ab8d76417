/** English names of languages. Server only, because the names of `Intl` differ between browsers. */

const names = new Intl.DisplayNames("en", { type: "language", languageDisplay: "standard", fallback: "code" });

/** Returns the name of a language by its tag (BCP 47), such as "English (United Kingdom)"; any other text as it is. */
export const languageName = (tag: string): string => (TAG.test(tag) ? (names.of(tag) ?? tag) : tag);

/** Tags as they are stored: a language, and a region. */
const TAG = /^[a-z]{2,3}(?:-(?:[A-Z]{2}|\d{3}))?$/;
