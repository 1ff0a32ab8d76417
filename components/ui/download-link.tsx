"use client";

import type { ComponentProps } from "react";
import { useDownload } from "@/components/ui/use-download";

/** A link that downloads a file. A refusal is shown beside it. */
export function DownloadLink({ href, children, ...link }: ComponentProps<"a"> & { href: string }) {
  const { linkTo, problem } = useDownload();
  return (
    <span className="inline-flex min-w-0 flex-col items-end gap-1">
      <a {...link} {...linkTo(href)}>
        {children}
      </a>
      {problem && (
        <span role="alert" className="max-w-72 text-right text-sm text-bad">
          {problem}
        </span>
      )}
    </span>
  );
}
