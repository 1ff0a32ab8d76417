import type { Warning } from "@/lib/ingest/api/commerce";
import type { ParsedEvent } from "@/lib/ingest/pipeline/schema";

/** Reads which experiment an event is about, and which variant was shown, from properties that are the sender's own. */

/** The names of both, ours first, then those of Segment's and other experiment services. */
const EXPERIMENT = ["experiment", "experiment_name", "experiment_id"];
const VARIANT = ["variant", "variant_name", "variant_id", "variation", "variation_name", "variation_id"];

/**
 * The exposure, without which no experiment counts the event, and the properties beside it.
 *
 * @param name of the event, which names the experiment where its properties do not.
 */
export function interpretExposure(
  name: string | null | undefined,
  properties: Readonly<Record<string, unknown>>,
): Pick<ParsedEvent, "exposure" | "props"> & { warnings: Warning[] } {
  const experimentKey = EXPERIMENT.find((key) => wordOf(properties[key]) !== null);
  const variantKey = VARIANT.find((key) => wordOf(properties[key]) !== null);
  const experiment = wordOf(experimentKey === undefined ? name : properties[experimentKey]);
  const variant = wordOf(variantKey === undefined ? null : properties[variantKey]);
  if (experiment !== null && variant !== null) {
    const kept = Object.entries(properties).filter(([key]) => key !== experimentKey && key !== variantKey);
    return { exposure: { experiment, variant }, props: Object.fromEntries(kept), warnings: [] };
  }
  const missing = [...(experiment === null ? ["experiment"] : []), ...(variant === null ? ["variant"] : [])];
  const message = "must be text of 1 to 255 characters; no experiment counts the event";
  return { props: properties, warnings: missing.map((key) => ({ path: `properties.${key}`, message })) };
}

/** A value that can name something; null for any other. */
function wordOf(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return null;
  const word = String(value);
  return word.length <= 255 && /[^\s\p{Cc}\p{Cf}]/u.test(word) ? word : null;
}
