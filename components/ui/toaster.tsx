"use client";

import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from "react";
import { msg } from "@/lib/texts/translate";

type ToastsPart = typeof import("@/components/ui/toasts")["default"];

/** Shown, translated, when a request got no answer. */
export const UNREACHABLE = msg("The server could not be reached.");

interface ToastMessage {
  text: string;
  /** Whether it reports an error. */
  bad?: boolean;
  /** A button in the toast. */
  action?: { label: string; act(): void };
  /** Stay open until it is closed or its button is pressed. */
  persistent?: boolean;
}

export interface ShownToast extends ToastMessage {
  id: number;
  open: boolean;
}

// Pages without a Toaster, such as the invitation page, show no toasts.
const ToastContext = createContext<(message: ToastMessage) => void>(() => {});

/** Returns a function that shows a toast. */
export const useToast = () => use(ToastContext);

/** Provides toasts to the page and shows them. */
export function Toaster({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownToast[]>([]);
  const [Toasts, setToasts] = useState<ToastsPart | null>(null);
  const next = useRef(0);

  // Preloaded: the toast that reports a lost connection cannot be loaded without one.
  useEffect(() => {
    const fetchToasts = () =>
      import("@/components/ui/toasts").then(
        (part) => setToasts(() => part.default),
        () => window.addEventListener("online", fetchToasts, { once: true }),
      );
    whenIdle(fetchToasts);
    return () => window.removeEventListener("online", fetchToasts);
  }, []);

  const showToast = useCallback((message: ToastMessage) => {
    const id = next.current++;
    // A toast with the same text replaces the earlier one.
    const others = (before: ShownToast[]) => before.filter(({ open, text }) => open && text !== message.text);
    setShown((before) => [...others(before), { ...message, id, open: true }]);
  }, []);

  const close = (id: number) =>
    setShown((before) => before.map((one) => (one.id === id ? { ...one, open: false } : one)));

  return (
    <ToastContext value={showToast}>
      {children}
      {Toasts && <Toasts toasts={shown} onClose={close} />}
    </ToastContext>
  );
}

/** Runs the function when the browser is idle. Safari has no `requestIdleCallback`. */
const whenIdle = (work: () => void): unknown =>
  "requestIdleCallback" in window ? window.requestIdleCallback(work) : setTimeout(work, 1_000);
