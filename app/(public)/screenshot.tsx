/// <reference types="next/image-types/global" />

import light from "@/assets/dashboard.webp";
import dark from "@/assets/dashboard-dark.webp";
import phoneLight from "@/assets/dashboard-phone.webp";
import phoneDark from "@/assets/dashboard-phone-dark.webp";

const ON_A_PHONE = "(max-width: 639px)";
const SHOWN = [
  { wide: light, narrow: phoneLight, scheme: "light", className: "dark:hidden" },
  { wide: dark, narrow: phoneDark, scheme: "dark", className: "hidden dark:block" },
] as const;

/**
 * The dashboard of the demo's shop, as `npm run screenshots` finds it, with two dots for each of a plain screen; by night the
 * one by night, on a phone that of one.
 */
export const Screenshot = () => (
  <figure className="card overflow-hidden">
    {SHOWN.map(({ wide, narrow, scheme, className }) => (
      <picture key={scheme} className={className}>
        <Early of={wide} media="(min-width: 640px)" scheme={scheme} />
        <Early of={narrow} media={ON_A_PHONE} scheme={scheme} />
        <source media={ON_A_PHONE} srcSet={narrow.src} width={narrow.width} height={narrow.height} />
        {/* Only the one that is shown is fetched: browsers leave out a lazy picture that has no room. */}
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

/** A lazy picture is asked for when the page is laid out; the one that is most likely shown, before that. */
const Early = ({ of, media, scheme }: { of: typeof light; media: string; scheme: string }) => (
  <link rel="preload" as="image" href={of.src} media={`${media} and (prefers-color-scheme: ${scheme})`} />
);
