import type { Tone } from "@/components/ui/badge";
import type { ApprovalState } from "@/lib/agents/approval-inbox";
import type { Risk } from "@/lib/contract/access";
import { msg } from "@/lib/texts/translate";

/** Labels and explanations of the approval states, to translate. */
export const APPROVAL_STATES: Record<ApprovalState, { label: string; tone: Tone; next: string }> = {
  pending: { label: msg("Waiting"), tone: "accent", next: "" },
  approved: {
    label: msg("Approved"),
    tone: "good",
    next: msg("The agent can do exactly this once, within an hour of your approval. Nothing has happened yet."),
  },
  done: { label: msg("Done"), tone: "good", next: msg("The agent has used this approval. It cannot be used again.") },
  denied: {
    label: msg("Denied"),
    tone: "bad",
    next: msg(
      "Nothing has happened. The agent can request the same once more; after a second denial it must wait an hour.",
    ),
  },
  expired: {
    label: msg("Expired"),
    tone: "plain",
    next: msg("No decision within a day, so nothing has happened. The agent can request it again."),
  },
  lapsed: {
    label: msg("Not used"),
    tone: "plain",
    next: msg(
      "It was approved, but the agent did not act within an hour. Nothing has happened; it can request it again.",
    ),
  },
  withdrawn: {
    label: msg("Withdrawn"),
    tone: "plain",
    next: msg("The agent has withdrawn its request. Nothing has happened, and it can no longer be approved or used."),
  },
  superseded: {
    label: msg("Void"),
    tone: "plain",
    next: msg(
      "The site or the agent's permissions have changed since the request, so it is void. Nothing has happened.",
    ),
  },
};

/** Badge tone of each risk level. */
export const RISK_TONES: Record<Risk, Tone> = {
  none: "plain",
  write: "plain",
  configuration: "plain",
  sharing: "warn",
  access: "warn",
  security: "warn",
  destructive: "bad",
};
