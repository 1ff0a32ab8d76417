"use client";

import { lazyPart } from "@/components/ui/lazy";

/** What is below the first screen, or on few pages, loads its code there. */

export const LazyComingFromUmami = lazyPart(async () => (await import("./coming-from-umami")).ComingFromUmami);
export const LazyTestProgress = lazyPart(async () => (await import("./test-progress")).TestProgress);
