/// <reference types="next/image-types/global" />

import light from "@/assets/dashboard.webp";
import dark from "@/assets/dashboard-dark.webp";
import phoneLight from "@/assets/dashboard-phone.webp";
import phoneDark from "@/assets/dashboard-phone-dark.webp";

const PHONE_MEDIA = "(max-width: 639px)";
const SHOWN = [
  { wide: light, narrow: phoneLight, scheme: "light", className: "dark:hidden" },
  { wide: dark, narrow: phoneDark, scheme: "dark", className: "hidden dark:block" },
] as const;

/**
 * Screenshot of the demo dashboard at double resolution, made by `npm run screenshots`; separate pictures for dark mode
 * and for phones.
 */
export const Screenshot = () => (
  <figure className="card overflow-hidden">
    {SHOWN.map(({ wide, narrow, scheme, className }) => (
      <picture key={scheme} className={className}>
        <Preload of={wide} media="(min-width: 640px)" scheme={scheme} />
        <Preload of={narrow} media={PHONE_MEDIA} scheme={scheme} />
        <source media={PHONE_MEDIA} srcSet={narrow.src} width={narrow.width} height={narrow.height} />
        {/* Lazy, so that browsers do not fetch the hidden picture of the other colour scheme. */}
        <img
          src={wide.src}
          width={wide.width}
          height={wide.height}
          loading="lazy"
          alt="A dashboard: visitors, visits and pageviews of the last 28 days with their chart, sources and pages"
          className="w-full"
        />
      </picture>
    ))}
  </figure>
);

/** Preloads the picture that is most likely shown, because lazy pictures are fetched only after layout. */
const Preload = ({ of, media, scheme }: { of: typeof light; media: string; scheme: string }) => (
  <link rel="preload" as="image" href={of.src} media={`${media} and (prefers-color-scheme: ${scheme})`} />
);
