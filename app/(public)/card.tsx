/// <reference types="next/image-types/global" />

import type { Metadata } from "next";
import card from "@/assets/card.png";
import { msg, t } from "@/lib/texts/translate";

/** What messengers and social networks show of a link to one of our pages. */

const IMAGE = {
  url: card.src,
  width: card.width,
  height: card.height,
  alt: msg("Footfall: a dashboard with visitors, sources and pages"),
};

/**
 * Returns the title, the description and the card of a page. A prerendered page does not know its own address: it adds
 * `CardImage` instead of `base`.
 */
export const cardOf = (title: Metadata["title"], description: string, base?: string): Metadata => ({
  ...(base && { metadataBase: new URL(base) }),
  title,
  description,
  openGraph: {
    type: "website",
    siteName: "Footfall",
    title: title ?? undefined,
    description,
    ...(base && { images: [{ ...IMAGE, alt: t(IMAGE.alt) }] }),
  },
  twitter: {
    card: "summary_large_image",
    title: title ?? undefined,
    description,
    ...(base && { images: [{ ...IMAGE, alt: t(IMAGE.alt) }] }),
  },
});

/** The picture of the card, by its path alone: Next would add an address that is known at build. */
export const CardImage = () => (
  <>
    <meta property="og:image" content={IMAGE.url} />
    <meta property="og:image:width" content={`${IMAGE.width}`} />
    <meta property="og:image:height" content={`${IMAGE.height}`} />
    <meta property="og:image:alt" content={t(IMAGE.alt)} />
    <meta name="twitter:image" content={IMAGE.url} />
  </>
);
