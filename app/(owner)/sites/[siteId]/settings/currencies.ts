import type { Choice } from "@/components/ui/select";
import { currentLanguage } from "@/lib/texts/translate";

/** All supported currencies by code and name. Built on the server, because names differ between browsers. */
export function currencyChoices(): Choice[] {
  const names = new Intl.DisplayNames(currentLanguage(), { type: "currency" });
  return Intl.supportedValuesOf("currency").map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
}
