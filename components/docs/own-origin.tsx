"use client";

import { useSyncExternalStore } from "react";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";

const neverChanges = () => () => {};

/** Returns the text with the address of this service in place of `PLACEHOLDER_ORIGIN`, once the page is hydrated. */
export function useOwnOrigin(text: string): string {
  const origin = useSyncExternalStore(
    neverChanges,
    () => location.origin,
    () => PLACEHOLDER_ORIGIN,
  );
  return text.replaceAll(PLACEHOLDER_ORIGIN, origin);
}

/** The same for a text node. */
export const OwnOrigin = ({ text }: { text: string }) => useOwnOrigin(text);
