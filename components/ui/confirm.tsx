"use client";

import { lazyDialog } from "@/components/ui/lazy";

/** Confirmation dialog for an action that cannot be undone. */
export const Confirm = lazyDialog(() => import("@/components/ui/confirm-dialog"));
