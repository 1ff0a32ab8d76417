import type { Tone } from "@/components/ui/badge";
import type { ApprovalState } from "@/lib/agents/approval-inbox";
import type { Risk } from "@/lib/contract/vocabulary";

/** How each end of a question reads. */
export const STATES: Record<ApprovalState, { label: string; tone: Tone; next: string }> = {
  pending: { label: "Waiting", tone: "accent", next: "" },
  approved: {
    label: "Approved",
    tone: "good",
    next: "The agent may do exactly this once, within an hour of the yes. Nothing has happened yet.",
  },
  done: { label: "Done", tone: "good", next: "The agent has used this approval. It cannot be used again." },
  denied: {
    label: "Denied",
    tone: "bad",
    next: "Nothing has happened. The agent may ask the same once more; after a second no, not for an hour.",
  },
  expired: {
    label: "Expired",
    tone: "plain",
    next: "Nobody answered within a day, so nothing has happened. The agent may ask again.",
  },
  lapsed: {
    label: "Not used",
    tone: "plain",
    next: "It was approved, but the agent did not act within an hour. Nothing has happened; it may ask again.",
  },
  superseded: {
    label: "Withdrawn",
    tone: "plain",
    next: "The site or what the agent may do has changed since it asked, so this no longer counts. Nothing has happened.",
  },
};

/** How much there is to think about. */
export const RISK_TONES: Record<Risk, Tone> = {
  none: "plain",
  write: "plain",
  configuration: "plain",
  sharing: "warn",
  access: "warn",
  security: "warn",
  destructive: "bad",
};

export const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
