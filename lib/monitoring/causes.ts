import type { Prisma } from "@/lib/platform/db";
import { msg } from "@/lib/texts/translate";

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
    label: msg("Page"),
    started: msg("page is unreachable"),
    ended: msg("page is reachable again"),
    emailOnEnd: true,
    path: "/settings/monitoring",
  },
  certificate: {
    label: msg("Certificate"),
    started: msg("certificate expires soon"),
    ended: msg("certificate was renewed"),
    emailOnEnd: false,
    path: "/settings/monitoring",
  },
  no_data: {
    label: msg("Incoming visits"),
    started: msg("no visits received"),
    ended: msg("visits received again"),
    emailOnEnd: true,
    path: "/install",
  },
  spike: {
    label: msg("Traffic spike"),
    started: msg("traffic spike"),
    ended: msg("traffic is back to normal"),
    emailOnEnd: false,
    path: "",
  },
  drop: {
    label: msg("Traffic drop"),
    started: msg("traffic drop"),
    ended: msg("traffic is back to normal"),
    emailOnEnd: false,
    path: "",
  },
  refused_events: {
    label: msg("Refused events"),
    started: msg("many events are refused"),
    ended: msg("events are accepted again"),
    emailOnEnd: true,
    path: "/settings/exclusions",
  },
};
