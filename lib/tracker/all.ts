import { watchForms, watchLinks } from "@/lib/tracker/clicks";
import type { Feature, Footfall } from "@/lib/tracker/footfall";
import { watchMissing, watchSearch } from "@/lib/tracker/search";
import type { Plugin, Settings } from "@/lib/tracker/send";
import type { startFromTag } from "@/lib/tracker/start";
import { watchVitals } from "@/lib/tracker/vitals";

const FEATURES: Record<Feature, (settings: Settings, visibleAtStart: boolean) => unknown> = {
  links: watchLinks,
  forms: watchForms,
  404: watchMissing,
  search: watchSearch,
  vitals: watchVitals,
};

/** Starts the tracker with all automatic tracking and with `footfall.exposure`. */
export function watchAll(start: typeof startFromTag): Footfall | undefined {
  let visibleAtStart = true;
  const footfall = start((settings: Settings) => {
    // No feature's name contains another's.
    const plugins = Object.entries(FEATURES).map(
      ([feature, watch]) => !settings.off?.includes(feature) && watch(settings, visibleAtStart),
    );
    return (leaving) => {
      for (const plugin of plugins) if (plugin) (plugin as Plugin)(leaving);
    };
  }) as Footfall | undefined;
  visibleAtStart = false;
  if (footfall)
    footfall.exposure = (experiment, variant) => footfall("exposure", { exposure: { experiment, variant } });
  return footfall;
}
