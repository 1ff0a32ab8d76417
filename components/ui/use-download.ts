"use client";

import { type MouseEvent, useState } from "react";
import { UNREACHABLE } from "@/components/ui/toaster";
import { msg, t } from "@/lib/texts/translate";

const GONE = msg("This file no longer exists, or you no longer have access to it.");

/** Returns why a file was refused. Files of this service are refused with a text; a page means that there is none. */
async function reasonOf(response: Response): Promise<string> {
  const isText = response.headers.get("content-type")?.startsWith("text/plain");
  return (isText && (await response.text())) || t(GONE);
}

/**
 * Downloads files without leaving the page; a refusal becomes `problem`.
 *
 * @param options.checkFirst for files too large for memory: the server is asked with `check=1` whether it would send the
 *   file, then the browser saves it while it arrives
 */
export function useDownload() {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function download(url: string, { checkFirst = false } = {}): Promise<void> {
    setProblem(undefined);
    setBusy(true);
    try {
      const address = checkFirst ? `${url}${url.includes("?") ? "&" : "?"}check=1` : url;
      const response = await fetch(address, { cache: "no-store" });
      if (!response.ok) setProblem(await reasonOf(response));
      else if (checkFirst) window.location.assign(url);
      else save(await response.blob(), nameOf(response));
    } catch {
      setProblem(t(UNREACHABLE));
    } finally {
      setBusy(false);
    }
  }

  /** Props of a link to the file, which works without scripts too. */
  const linkTo = (url: string) => ({
    href: url,
    "aria-busy": busy || undefined,
    onClick: (event: MouseEvent) => {
      // With a modifier key the browser opens a tab or saves the link itself.
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!busy) void download(url);
    },
  });

  return { download, linkTo, problem, busy };
}

const nameOf = ({ headers }: Response): string =>
  /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "";

function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken the file once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
