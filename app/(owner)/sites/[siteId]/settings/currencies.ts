import type { Choice } from "@/components/ui/select";

/** All supported currencies by code and name. Built on the server, because names differ between browsers. */
export function currencyChoices(): Choice[] {
  const names = new Intl.DisplayNames("en", { type: "currency" });
  return Intl.supportedValuesOf("currency").map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
}
