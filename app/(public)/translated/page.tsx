import { PageLocale } from "@/components/ui/page-locale";
import { env } from "@/lib/platform/env";
import { currentLocale } from "@/lib/platform/locale";
import { Landing, landingCard } from "../landing";

/** Rendered per request, because it is in the reader's language. */
export const dynamic = "force-dynamic";

export const generateMetadata = landingCard;

/** The landing page for readers of other languages than English, at `/`. */
export default function TranslatedLandingPage() {
  return (
    <PageLocale locale={currentLocale()}>
      <Landing hasDemo={env().DEMO_SITE !== undefined} />
    </PageLocale>
  );
}
