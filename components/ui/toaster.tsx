"use client";

import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from "react";

type ToastsPart = typeof import("@/components/ui/toasts")["default"];

/** What is said where an answer never came. */
export const AWAY = "The server could not be reached.";

export interface Saying {
  text: string;
  /** That something did not work. */
  bad?: boolean;
  /** What can be done about it, for as long as it is said. */
  action?: { label: string; act(): void };
  /** It stays until somebody closes it or presses its button. */
  stays?: boolean;
}

export interface Said extends Saying {
  id: number;
  open: boolean;
}

// Without a toaster, as for whoever accepts an invitation, nothing is said.
const Context = createContext<(saying: Saying) => void>(() => {});

/** Says a sentence about something that cannot be seen where it was asked for. */
export const useToast = () => use(Context);

/** The one place of the page where toasts appear. */
export function Toaster({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState<Said[]>([]);
  const [Toasts, setToasts] = useState<ToastsPart | null>(null);
  const next = useRef(0);

  // Fetched ahead: what has to say that the network is away cannot be fetched then.
  useEffect(() => {
    const fetchToasts = () =>
      import("@/components/ui/toasts").then(
        (part) => setToasts(() => part.default),
        () => window.addEventListener("online", fetchToasts, { once: true }),
      );
    whenIdle(fetchToasts);
    return () => window.removeEventListener("online", fetchToasts);
  }, []);

  const say = useCallback((saying: Saying) => {
    const id = next.current++;
    // The same again takes the place of the first.
    const others = (before: Said[]) => before.filter(({ open, text }) => open && text !== saying.text);
    setSaid((before) => [...others(before), { ...saying, id, open: true }]);
  }, []);

  const end = (id: number) => setSaid((before) => before.map((one) => (one.id === id ? { ...one, open: false } : one)));

  return (
    <Context value={say}>
      {children}
      {Toasts && <Toasts said={said} onEnd={end} />}
    </Context>
  );
}

/** Safari has no word of its own for it. */
const whenIdle = (work: () => void): unknown =>
  "requestIdleCallback" in window ? window.requestIdleCallback(work) : setTimeout(work, 1_000);
