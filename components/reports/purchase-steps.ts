import { COMMERCE_KINDS, type CommerceKind, patternOf } from "@/lib/contract/commerce";
import { msg, t } from "@/lib/texts/translate";

const NAMES: Record<CommerceKind, string> = {
  product_viewed: msg("Product view"),
  cart_added: msg("Add to cart"),
  cart_removed: msg("Remove from cart"),
  checkout_started: msg("Checkout"),
  purchase: msg("Purchase"),
  refund: msg("Refund"),
};

/** Returns the kind of commerce event that a step of the purchase funnel is; null for any other name. */
export const kindOfStep = (step: string): CommerceKind | null => COMMERCE_KINDS.find((kind) => kind === step) ?? null;

/** Returns the name of a step of the purchase funnel. */
export function purchaseStepName(step: string): string {
  const kind = kindOfStep(step);
  return kind ? t(NAMES[kind]) : step;
}

/** Returns the name of the kind of commerce event that a regular expression describes, as rows of the funnel filter; null for others. */
export function nameOfPattern(pattern: string): string | null {
  const kind = COMMERCE_KINDS.find((one) => patternOf(one) === pattern);
  return kind ? t(NAMES[kind]) : null;
}
