import type { ClientKind } from "@/lib/contract/define";
import { quoteName } from "@/lib/email/mailer";
import { t } from "@/lib/texts/translate";

/** Returns who acts, as the beginning of a sentence in an email. The name of an agent is unverified. */
export const agentInWords = ({ kind, name }: { kind: ClientKind; name: string }): string =>
  kind === "personal"
    ? t("A script with the personal token {name}", { name: quoteName(name) })
    : t("An agent that calls itself {name}", { name: quoteName(name) });
