"use client";

import { lazyPart } from "@/components/ui/lazy";

/** What asks for its numbers after the rest of a dashboard: its code may come after it too. */
export const LazyWhatChanged = lazyPart(async () => (await import("@/components/reports/what-changed")).WhatChanged);
