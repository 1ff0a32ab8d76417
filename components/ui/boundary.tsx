"use client";

import { catchError } from "next/error";
import { Failed } from "@/components/ui/failed";

interface Props {
  /** What could not be loaded, as the end of a sentence: "the chart". */
  what: string;
  className?: string;
}

/** Around a part of a page: where rendering it fails, on the server or in the browser, only that part is replaced. */
export const Boundary = catchError<Props & Record<string, unknown>>(function PartFailed(
  { what, className },
  { retry },
) {
  return <Failed what={what} retry={retry} className={className ?? ""} />;
});
