"use client";

import { Action, Close, Provider, Root, Title, Viewport } from "@radix-ui/react-toast";
import { buttonLook } from "@/components/ui/button";
import { Check, Cross, Warning } from "@/components/ui/icons";
import type { Said } from "@/components/ui/toaster";

/** How long a sentence stays, in milliseconds, not counting while the pointer or the focus is on it. */
const PLAIN_MS = 6_000;
/** One that offers something to do, or says why something did not work. */
const OFFER_MS = 15_000;

/** What was said lately: in the corner, and on a phone at the top, where no button of a form is. F8 leads here. */
export default function Toasts({ said, onEnd }: { said: Said[]; onEnd(id: number): void }) {
  return (
    <Provider label="Message">
      {said.map((one) => (
        <Toast key={one.id} said={one} onEnd={() => onEnd(one.id)} />
      ))}
      <Viewport
        label="Messages ({hotkey})"
        className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-88 flex-col gap-2 outline-none max-sm:top-16 max-sm:bottom-auto max-sm:left-4 max-sm:w-auto print:hidden"
      />
    </Provider>
  );
}

function Toast({ said: { text, bad, action, stays, open }, onEnd }: { said: Said; onEnd(): void }) {
  return (
    <Root
      data-toast
      type="background"
      open={open}
      onOpenChange={onEnd}
      duration={stays ? Number.POSITIVE_INFINITY : action || bad ? OFFER_MS : PLAIN_MS}
      className="card pointer-events-auto flex items-center gap-3 py-2 pr-2 pl-4 text-sm shadow-xl data-[state=closed]:animate-leave data-[state=open]:animate-rise data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)"
    >
      {bad ? <Warning className="size-4 shrink-0 text-bad" /> : <Check className="size-4 shrink-0 text-good" />}
      <Title className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">{text}</Title>
      {action && (
        <Action
          altText={`${action.label}: press F8, then Tab`}
          onClick={action.act}
          className={buttonLook({ look: "quiet", size: "small" })}
        >
          {action.label}
        </Action>
      )}
      <Close
        aria-label="Close"
        className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunken hover:text-ink"
      >
        <Cross className="size-3" />
      </Close>
    </Root>
  );
}
