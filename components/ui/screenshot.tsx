/// <reference types="next/image-types/global" />

import light from "@/assets/dashboard.webp";
import dark from "@/assets/dashboard-dark.webp";
import phoneLight from "@/assets/dashboard-phone.webp";
import phoneDark from "@/assets/dashboard-phone-dark.webp";
import { t } from "@/lib/texts/translate";

const PHONE_MEDIA = "(max-width: 639px)";
const SHOWN = [
  { wide: light, narrow: phoneLight, scheme: "light", className: "dark:hidden" },
  { wide: dark, narrow: phoneDark, scheme: "dark", className: "hidden dark:block" },
] as const;

/**
 * Screenshot of the demo dashboard at double resolution, made by `npm run screenshots`; separate pictures for dark mode
 * and for phones. `preloads` is for a page on which it is the first picture.
 */
export const Screenshot = ({ preloads = false }: { preloads?: boolean }) => (
  <>
    {SHOWN.map(({ wide, narrow, scheme, className }) => (
      <picture key={scheme} className={className}>
        {preloads && <Preload of={wide} media="(min-width: 640px)" scheme={scheme} />}
        {preloads && <Preload of={narrow} media={PHONE_MEDIA} scheme={scheme} />}
        <source media={PHONE_MEDIA} srcSet={narrow.src} width={narrow.width} height={narrow.height} />
        {/* Lazy, so that browsers do not fetch the hidden picture of the other colour scheme. */}
        <img
          src={wide.src}
          width={wide.width}
          height={wide.height}
          loading="lazy"
          alt={t("A dashboard: visitors, visits and pageviews of the last 28 days with their chart, sources and pages")}
          className="w-full"
        />
      </picture>
    ))}
  </>
);

/** Preloads the picture that is most likely shown, because lazy pictures are fetched only after layout. */
const Preload = ({ of, media, scheme }: { of: typeof light; media: string; scheme: string }) => (
  <link rel="preload" as="image" href={of.src} media={`${media} and (prefers-color-scheme: ${scheme})`} />
);
