import { Landing, landingCard } from "./landing";

export const generateMetadata = landingCard;

/** Prerendered, in English. Where there is a demo, proxy.ts shows `/with-demo` instead, and in other languages `/translated`. */
export default function LandingPage() {
  return <Landing />;
}
