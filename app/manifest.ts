/// <reference types="next/image-types/global" />

import type { MetadataRoute } from "next";
import small from "@/assets/icon-192.png";
import large from "@/assets/icon-512.png";
import maskable from "@/assets/icon-maskable-512.png";
import { t } from "@/lib/texts/translate";

/** What a browser needs to put the service on a home screen. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    id: "/",
    name: "Footfall",
    short_name: "Footfall",
    description: t("Privacy-first web analytics"),
    start_url: "/sites",
    scope: "/",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: "#2456d6",
    icons: [
      { src: small.src, sizes: "192x192", type: "image/png" },
      { src: large.src, sizes: "512x512", type: "image/png" },
      { src: maskable.src, sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
