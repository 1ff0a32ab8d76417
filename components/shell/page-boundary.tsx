"use client";

import type { ReactNode } from "react";
import { ServerError } from "@/components/shell/server-error";
import { Caught } from "@/components/ui/boundary";

/** Keeps what a layout has around its pages when one of them fails. */
export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <Caught shown={(error, retry) => <ServerError error={error} retry={retry} />}>{children}</Caught>
);
