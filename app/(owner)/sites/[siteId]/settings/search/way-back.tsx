import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

interface Props {
  outcome: string;
  /** The name of the provider. */
  name: string;
  property: string | null;
  domain: string;
  /** Whether it was the way of an import, which begins on the page. */
  isImport?: boolean;
}

/** Says how the way to a provider and back ended. What the address says is only a word of this list. */
export function WayBack({ outcome, name, property, domain, isImport = false }: Props) {
  const text = new Map([
    [
      "connected",
      isImport
        ? t("Connected to {provider}. Choose a property and its days below.", { provider: name })
        : property
          ? t("Connected to {provider} as {property}. The first numbers appear within minutes.", {
              provider: name,
              property,
            })
          : t("Connected to {provider}. The first numbers appear within minutes.", { provider: name }),
    ],
    ["cancelled", t("You did not consent at {provider}, so nothing is connected.", { provider: name })],
    [
      "expired",
      t("This way back is no longer valid: it works once, for 15 minutes, in the browser that began. Connect again."),
    ],
    [
      "no_permission",
      t("The permission to read {provider} was not given. Connect again, and leave it ticked.", { provider: name }),
    ],
    [
      "no_property",
      isImport
        ? t("This account may read no property of {provider}. Connect with another account.", { provider: name })
        : t(
            "This account has no property at {provider} that is only about {domain}. Add and verify the domain, or an address on it, there, or connect with another account.",
            { provider: name, domain },
          ),
    ],
    ["role", t("Only an owner of this site connects it.")],
    [
      "setup",
      t(
        "{provider} refuses this service. Its operator must check the client id, its secret and the redirect address.",
        {
          provider: name,
        },
      ),
    ],
    ["unreachable", t("{provider} cannot be reached at the moment. Try again later.", { provider: name })],
    ["failed", t("{provider} has not confirmed the consent. Connect again.", { provider: name })],
  ]).get(outcome);
  if (!text) return null;
  return <Notice tone={outcome === "connected" ? "good" : outcome === "cancelled" ? "warn" : "bad"}>{text}</Notice>;
}
