"use client";

import { Action, Close, Provider, Root, Title, Viewport } from "@radix-ui/react-toast";
import { Check, TriangleAlert, X } from "lucide-react";
import { buttonLook } from "@/components/ui/button";
import type { ShownToast } from "@/components/ui/toaster";
import { t } from "@/lib/texts/translate";

/** How long a toast stays open; the time stops while it has the pointer or the focus. */
const PLAIN_MS = 6_000;
/** The same for a toast with a button or an error. */
const ACTION_MS = 15_000;

/** The recent toasts: in a corner, on phones at the top, where they cover no form buttons. F8 moves the focus here. */
export default function Toasts({ toasts, onClose }: { toasts: ShownToast[]; onClose(id: number): void }) {
  return (
    <Provider label={t("Message")}>
      {toasts.map((toast) => (
        <Toast key={toast.id} toast={toast} onClose={() => onClose(toast.id)} />
      ))}
      <Viewport
        label={t("Messages ({hotkey})")}
        className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-88 flex-col gap-2 outline-none max-sm:top-16 max-sm:bottom-auto max-sm:left-4 max-sm:w-auto print:hidden"
      />
    </Provider>
  );
}

function Toast({ toast: { text, bad, action, persistent, open }, onClose }: { toast: ShownToast; onClose(): void }) {
  return (
    <Root
      data-toast
      type="background"
      open={open}
      onOpenChange={onClose}
      duration={persistent ? Number.POSITIVE_INFINITY : action || bad ? ACTION_MS : PLAIN_MS}
      className="card pointer-events-auto flex items-center gap-3 py-2 pr-2 pl-4 text-sm shadow-xl data-[state=closed]:animate-leave data-[state=open]:animate-rise data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      {bad ? <TriangleAlert className="size-4 shrink-0 text-bad" /> : <Check className="size-4 shrink-0 text-good" />}
      <Title className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">{text}</Title>
      {action && (
        <Action
          altText={t("{action}: press F8, then Tab", { action: action.label })}
          onClick={action.act}
          className={buttonLook({ look: "quiet", size: "small" })}
        >
          {action.label}
        </Action>
      )}
      <Close
        aria-label={t("Close")}
        className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
      >
        <X className="size-3" />
      </Close>
    </Root>
  );
}
