/// <reference types="next/image-types/global" />

import light from "@/assets/dashboard.png";
import dark from "@/assets/dashboard-dark.png";

/** The dashboard of the demo's shop, as `npm run screenshots` finds it; by night the one by night. */
export const Screenshot = () => (
  <figure className="card overflow-hidden">
    <Picture of={light} className="dark:hidden" />
    <Picture of={dark} className="hidden dark:block" />
  </figure>
);

/** Only the one that is shown is fetched: browsers leave out a lazy picture that has no room. */
const Picture = ({ of: { src, width, height }, className }: { of: typeof light; className: string }) => (
  // biome-ignore lint/performance/noImgElement: it is as large as it is shown
  <img
    src={src}
    width={width}
    height={height}
    loading="lazy"
    alt="A dashboard: visitors, visits and pageviews of the last 28 days with their chart, sources and pages"
    className={`w-full ${className}`}
  />
);
