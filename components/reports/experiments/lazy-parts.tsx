"use client";

import { lazyPart } from "@/components/ui/lazy";

/** Their code is loaded where they are shown: any dashboard can have any report, and must not load the code of all. */

export const LazyPlanButton = lazyPart(
  async () => (await import("@/components/reports/experiments/plan-button")).PlanButton,
);
export const LazyPlans = lazyPart(async () => (await import("@/components/reports/experiments/plans")).Plans);
