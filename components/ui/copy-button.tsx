"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { t } from "@/lib/texts/translate";

interface Props {
  text: string;
  /** What is copied, for screen readers. */
  what: string;
  /** Button label. */
  label?: string;
}

/** Copies `text` to the clipboard and shows the result for two seconds. */
export function CopyButton({ text, what, label }: Props) {
  const [state, setState] = useState<"idle" | "done" | "failed">("idle");

  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), 2000);
    return () => clearTimeout(timer);
  }, [state]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setState("done");
    } catch {
      setState("failed");
    }
  }

  return (
    <Button look="quiet" size="small" onClick={copy} aria-label={label ?? t("Copy {what}", { what })}>
      {state === "done" ? <Check className="size-4 text-good" /> : <Copy />}
      <span aria-live="polite">
        {{ idle: label ?? t("Copy"), done: t("Copied"), failed: t("Select and copy manually") }[state]}
      </span>
    </Button>
  );
}
