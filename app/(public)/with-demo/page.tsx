import { Landing, landingCard } from "../landing";

export const generateMetadata = landingCard;

/** The landing page of a service with a demo, at `/`. */
export default function LandingPageWithDemo() {
  return <Landing hasDemo />;
}
