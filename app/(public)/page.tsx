import type { Metadata } from "next";
import { LANDING_CARD, Landing } from "./landing";

export const metadata: Metadata = LANDING_CARD;

/** Prerendered. Where there is a demo, proxy.ts shows `/with-demo` instead. */
export default function LandingPage() {
  return <Landing />;
}
