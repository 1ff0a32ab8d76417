import { watchForms, watchLinks } from "@/lib/tracker/clicks";
import type { Feature, Footfall } from "@/lib/tracker/footfall";
import { watchMissing, watchSearch } from "@/lib/tracker/search";
import type { Part, Settings } from "@/lib/tracker/send";
import type { startFromTag } from "@/lib/tracker/start";
import { watchVitals } from "@/lib/tracker/vitals";

const FEATURES: Record<Feature, (settings: Settings, atOnce: boolean) => unknown> = {
  links: watchLinks,
  forms: watchForms,
  404: watchMissing,
  search: watchSearch,
  vitals: watchVitals,
};

/** Starts the tracker with everything that it can notice by itself, and with `footfall.exposure`. */
export function watchAll(start: typeof startFromTag): Footfall | undefined {
  let atOnce = true;
  const footfall = start((settings: Settings) => {
    // No feature's name is within another's.
    const parts = Object.entries(FEATURES).map(
      ([feature, watch]) => !settings.off?.includes(feature) && watch(settings, atOnce),
    );
    return (leaving) => {
      for (const part of parts) if (part) (part as Part)(leaving);
    };
  }) as Footfall | undefined;
  atOnce = false;
  if (footfall)
    footfall.exposure = (experiment, variant) => footfall("exposure", { exposure: { experiment, variant } });
  return footfall;
}
