"use client";

import { lazyPart } from "@/components/ui/lazy";

/** Their code is loaded where they are shown: all reports are one route, and a dashboard can have any of them. */

export const LazyExploreForm = lazyPart(async () => (await import("@/components/reports/explore/choices")).ExploreForm);
export const LazySavedQuestions = lazyPart(
  async () => (await import("@/components/reports/explore/saved-questions")).SavedQuestions,
);
