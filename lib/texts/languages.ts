/** The languages of the interface, each by its own name. Texts are written in English; the others are catalogues beside this file. */
export const LANGUAGES = { en: "English", de: "Deutsch", es: "Español" } as const;
export type Language = keyof typeof LANGUAGES;
export type TranslatedLanguage = Exclude<Language, "en">;

export const isLanguage = (text: string | undefined): text is Language =>
  text !== undefined && Object.hasOwn(LANGUAGES, text);

/** Returns the language of the interface for a BCP 47 tag: English where there is no catalogue. */
export function languageOf(locale: string): Language {
  const [language] = locale.split("-");
  return isLanguage(language) ? language : "en";
}

/** The cookie with the language that a reader chose. Without it, the browser's languages decide. */
export const LANGUAGE_COOKIE = "language";

const COOKIE_S = 365 * 24 * 3600;

/** Returns the cookie that stores a chosen language for a year, as for `Set-Cookie` and `document.cookie`. Pages read and write it. */
export const languageCookie = (language: Language, secure: boolean): string =>
  `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${COOKIE_S}; SameSite=Lax${secure ? "; Secure" : ""}`;

const CHOSEN = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=([a-z]+)(?=;|$)`);

/** Returns the language that a reader chose, from a `Cookie` header. */
export function chosenLanguage(cookies: string | undefined): Language | undefined {
  const chosen = CHOSEN.exec(cookies ?? "")?.[1];
  return isLanguage(chosen) ? chosen : undefined;
}
