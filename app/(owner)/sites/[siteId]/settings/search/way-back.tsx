import { Notice } from "@/components/ui/notice";

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
        ? `Connected to ${name}. Choose a property and its days below.`
        : `Connected to ${name}${property ? ` as ${property}` : ""}. The first numbers appear within minutes.`,
    ],
    ["cancelled", `You did not consent at ${name}, so nothing is connected.`],
    [
      "expired",
      "This way back is no longer valid: it works once, for 15 minutes, in the browser that began. Connect again.",
    ],
    ["no_permission", `The permission to read ${name} was not given. Connect again, and leave it ticked.`],
    [
      "no_property",
      isImport
        ? `This account may read no property of ${name}. Connect with another account.`
        : `This account has no property at ${name} that is only about ${domain}. Add and verify the domain, or an address on it, there, or connect with another account.`,
    ],
    ["role", "Only an owner of this site connects it."],
    [
      "setup",
      `${name} refuses this service. Its operator must check the client id, its secret and the redirect address.`,
    ],
    ["unreachable", `${name} cannot be reached at the moment. Try again later.`],
    ["failed", `${name} has not confirmed the consent. Connect again.`],
  ]).get(outcome);
  if (!text) return null;
  return <Notice tone={outcome === "connected" ? "good" : outcome === "cancelled" ? "warn" : "bad"}>{text}</Notice>;
}
