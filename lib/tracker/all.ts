import { watchForms, watchLinks } from "@/lib/tracker/clicks";
import type { Footfall } from "@/lib/tracker/footfall";
import { watchMissing, watchSearch } from "@/lib/tracker/search";
import type { Settings } from "@/lib/tracker/send";
import type { startFromTag } from "@/lib/tracker/start";
import { watchVitals } from "@/lib/tracker/vitals";

/** Starts the tracker with everything that it can notice by itself, and with `footfall.exposure`. */
export function watchAll(start: typeof startFromTag): Footfall | undefined {
  let atOnce = true;
  const footfall = start((settings: Settings) => {
    const wanted = (feature: string) => !settings.off?.split(" ").includes(feature);
    if (wanted("links")) watchLinks(settings);
    if (wanted("forms")) watchForms();
    if (wanted("404")) watchMissing();
    if (wanted("search")) watchSearch(settings);
    if (wanted("vitals")) watchVitals(atOnce);
  }) as Footfall | undefined;
  atOnce = false;
  if (footfall)
    footfall.exposure = (experiment, variant) => footfall("exposure", { exposure: { experiment, variant } });
  return footfall;
}
