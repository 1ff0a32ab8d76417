import { type Language, languageCookie } from "@/lib/texts/languages";

/** Shows this browser's pages in a language from now on: loads the page again. */
export function showIn(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has no Cookie Store API
  document.cookie = languageCookie(language, location.protocol === "https:");
  location.reload();
}
