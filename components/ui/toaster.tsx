"use client";

import dynamic from "next/dynamic";
import { createContext, type ReactNode, use, useCallback, useRef, useState } from "react";

const Toasts = dynamic(() => import("@/components/ui/toasts"), { ssr: false });

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
  const next = useRef(0);

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
      {said.length > 0 && <Toasts said={said} onEnd={end} />}
    </Context>
  );
}
