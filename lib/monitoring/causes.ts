import type { Prisma } from "@/lib/platform/db";

export type Cause = Prisma.IncidentGetPayload<object>["cause"];

interface CauseText {
  /** Name of the check. */
  label: string;
  /** What to say after the domain when an incident starts and when it ends. */
  started: string;
  ended: string;
  /** Whether to email when the incident ends; webhooks are always notified. */
  emailOnEnd: boolean;
  /** Path of the page with details, relative to the site. */
  path: string;
}

/** The causes of incidents, with their texts on pages and in emails. */
export const CAUSES: Record<Cause, CauseText> = {
  unreachable: {
    label: "Page",
    started: "page is unreachable",
    ended: "page is reachable again",
    emailOnEnd: true,
    path: "/settings/monitoring",
  },
  certificate: {
    label: "Certificate",
    started: "certificate expires soon",
    ended: "certificate was renewed",
    emailOnEnd: false,
    path: "/settings/monitoring",
  },
  no_data: {
    label: "Incoming visits",
    started: "no visits received",
    ended: "visits received again",
    emailOnEnd: true,
    path: "/install",
  },
  spike: {
    label: "Traffic spike",
    started: "traffic spike",
    ended: "traffic is back to normal",
    emailOnEnd: false,
    path: "",
  },
  drop: {
    label: "Traffic drop",
    started: "traffic drop",
    ended: "traffic is back to normal",
    emailOnEnd: false,
    path: "",
  },
  refused_events: {
    label: "Refused events",
    started: "many events are refused",
    ended: "events are accepted again",
    emailOnEnd: true,
    path: "/settings/exclusions",
  },
};
