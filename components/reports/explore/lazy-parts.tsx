"use client";

import { lazyPart } from "@/components/ui/lazy";

/** Their code is loaded where they are shown: any dashboard can have any report, and must not load the code of all. */

export const LazyExploreForm = lazyPart(async () => (await import("@/components/reports/explore/choices")).ExploreForm);
export const LazySavedQuestions = lazyPart(
  async () => (await import("@/components/reports/explore/saved-questions")).SavedQuestions,
);
