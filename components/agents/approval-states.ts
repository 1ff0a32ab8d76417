import type { Tone } from "@/components/ui/badge";
import type { ApprovalState } from "@/lib/agents/approval-inbox";
import type { Risk } from "@/lib/contract/vocabulary";

/** Labels and explanations of the approval states. */
export const APPROVAL_STATES: Record<ApprovalState, { label: string; tone: Tone; next: string }> = {
  pending: { label: "Waiting", tone: "accent", next: "" },
  approved: {
    label: "Approved",
    tone: "good",
    next: "The agent can do exactly this once, within an hour of your approval. Nothing has happened yet.",
  },
  done: { label: "Done", tone: "good", next: "The agent has used this approval. It cannot be used again." },
  denied: {
    label: "Denied",
    tone: "bad",
    next: "Nothing has happened. The agent can request the same once more; after a second denial it must wait an hour.",
  },
  expired: {
    label: "Expired",
    tone: "plain",
    next: "No decision within a day, so nothing has happened. The agent can request it again.",
  },
  lapsed: {
    label: "Not used",
    tone: "plain",
    next: "It was approved, but the agent did not act within an hour. Nothing has happened; it can request it again.",
  },
  withdrawn: {
    label: "Withdrawn",
    tone: "plain",
    next: "The agent has withdrawn its request. Nothing has happened, and it can no longer be approved or used.",
  },
  superseded: {
    label: "Void",
    tone: "plain",
    next: "The site or the agent's permissions have changed since the request, so it is void. Nothing has happened.",
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
