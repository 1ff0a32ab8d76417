import type { Choice } from "@/components/ui/select";

/** Every currency that amounts may be in, by its code and name. Made on the server: browsers know other names. */
export function currencyChoices(): Choice[] {
  const names = new Intl.DisplayNames("en", { type: "currency" });
  return Intl.supportedValuesOf("currency").map((code) => ({ value: code, label: `${code} – ${names.of(code)}` }));
}
