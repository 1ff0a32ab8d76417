import type { Warning } from "@/lib/ingest/api/commerce";
import type { SentEvent } from "@/lib/ingest/event/sent-event";
import { canonicalName } from "@/lib/platform/names";

/** Reads the experiment and the variant of an exposure from free-form properties. */

/** Accepted property names: our own first, then those of Segment and other experiment services. */
const EXPERIMENT = ["experiment", "experiment_name", "experiment_id"];
const VARIANT = ["variant", "variant_name", "variant_id", "variation", "variation_name", "variation_id"];

/**
 * Returns the exposure of an event and its other properties. Without an exposure, no experiment counts the event.
 *
 * @param name of the event, which is the experiment's name if the properties have none.
 */
export function interpretExposure(
  name: string | null | undefined,
  properties: Readonly<Record<string, unknown>>,
): Pick<SentEvent, "exposure" | "props"> & { warnings: Warning[] } {
  const experimentKey = EXPERIMENT.find((key) => nameFrom(properties[key]) !== null);
  const variantKey = VARIANT.find((key) => nameFrom(properties[key]) !== null);
  const experiment = nameFrom(experimentKey === undefined ? name : properties[experimentKey]);
  const variant = nameFrom(variantKey === undefined ? null : properties[variantKey]);
  if (experiment !== null && variant !== null) {
    const rest = Object.entries(properties).filter(([key]) => key !== experimentKey && key !== variantKey);
    return { exposure: { experiment, variant }, props: Object.fromEntries(rest), warnings: [] };
  }
  const missing = [...(experiment === null ? ["experiment"] : []), ...(variant === null ? ["variant"] : [])];
  const message = "must be text of 1 to 255 characters; no experiment counts the event";
  return { props: properties, warnings: missing.map((key) => ({ path: `properties.${key}`, message })) };
}

/** Returns a value as a name, or null if it cannot be one. */
function nameFrom(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  const name = canonicalName(String(value));
  return name !== "" && name.length <= 255 ? name : null;
}
