import { FRAMEWORKS, type Framework, installationFor, type TrackedSite } from "@/lib/sites/installation";
import type { TrackingOptions } from "@/lib/sites/tracking-options";

/** Installation guide for one framework. */
export interface Guide {
  key: string;
  label: string;
  steps: string[];
  /** The code to copy: the script tag, or the code that renders it. */
  paste: string;
  notes: string[];
}

/** Returns the installation guides for a site, with the same texts as the operation sites.installation. */
export function guidesFor(site: TrackedSite, options: TrackingOptions): Guide[] {
  return Object.entries(FRAMEWORKS).map(([key, label]) => {
    const { snippet, steps, code, notes } = installationFor(key as Framework, site, options);
    const program = code.find(({ language }) => language === "php" || language === "tsx");
    return { key, label, steps, paste: program?.content ?? snippet, notes };
  });
}
