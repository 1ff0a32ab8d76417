import type { Metadata } from "next";
import { LANDING_CARD, Landing } from "../landing";

export const metadata: Metadata = LANDING_CARD;

/** The landing page of a service with a demo, at `/`. */
export default function LandingPageWithDemo() {
  return <Landing hasDemo />;
}
