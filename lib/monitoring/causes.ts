import type { Prisma } from "@/lib/platform/db";

export type Cause = Prisma.IncidentGetPayload<object>["cause"];

interface Words {
  /** What is watched. */
  label: string;
  /** What to say of a domain when it begins and when it is over. */
  begins: string;
  ends: string;
  /** Whether people are told by letter when it is over; webhooks always are. */
  endByMail: boolean;
  /** Where more of it is seen, below the site's address. */
  place: string;
}

/** Everything that is watched, in the words of pages and letters. */
export const CAUSES: Record<Cause, Words> = {
  unreachable: {
    label: "Page",
    begins: "the page cannot be reached",
    ends: "the page answers again",
    endByMail: true,
    place: "/settings/monitoring",
  },
  certificate: {
    label: "Certificate",
    begins: "the certificate ends soon",
    ends: "the certificate was renewed",
    endByMail: false,
    place: "/settings/monitoring",
  },
  no_data: {
    label: "Visits arriving",
    begins: "no visits arrive",
    ends: "visits arrive again",
    endByMail: true,
    place: "/install",
  },
  spike: {
    label: "Far more visits",
    begins: "far more visits than usual",
    ends: "as many visits as usual again",
    endByMail: false,
    place: "",
  },
  drop: {
    label: "Far fewer visits",
    begins: "far fewer visits than usual",
    ends: "as many visits as usual again",
    endByMail: false,
    place: "",
  },
  refused_events: {
    label: "Refused events",
    begins: "many events are refused",
    ends: "events are accepted again",
    endByMail: true,
    place: "/settings/exclusions",
  },
};
