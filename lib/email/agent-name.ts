import type { ClientKind } from "@/lib/contract/define";
import { quoteName } from "@/lib/email/mailer";

/** Returns who acts, as the beginning of a sentence in an email. The name of an agent is unverified. */
export const agentInWords = ({ kind, name }: { kind: ClientKind; name: string }): string =>
  `${kind === "personal" ? "A script with the personal token" : "An agent that calls itself"} ${quoteName(name)}`;
