"use client";

import { catchError } from "next/error";
import { Failed } from "@/components/ui/failed";

interface Props {
  /** What could not be loaded, as the end of a sentence: "the chart". */
  what: string;
  className?: string;
}

/** Error boundary around a part of a page: if rendering fails (server or browser), only that part shows an error. */
export const Boundary = catchError<Props & Record<string, unknown>>(function PartFailed(
  { what, className },
  { retry },
) {
  return <Failed what={what} retry={retry} className={className ?? ""} />;
});
