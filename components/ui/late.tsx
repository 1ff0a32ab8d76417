"use client";

import { type ComponentType, useEffect, useState } from "react";
import { AWAY, useToast } from "@/components/ui/toaster";

/** A component whose code is fetched when somebody is about to need it, once for all that need it. */
interface Late<P> {
  /** null until it was fetched. */
  there: ComponentType<P> | null;
  fetch(): Promise<ComponentType<P>>;
}

export function late<P>(load: () => Promise<{ default: ComponentType<P> }>): Late<P> {
  const one: Late<P> = {
    there: null,
    async fetch() {
      one.there ??= (await load()).default;
      return one.there;
    },
  };
  return one;
}

/**
 * @returns the component, null until it is shown; what shows it, at once where it was fetched before; and what fetches it
 * ahead of that
 */
export function useLate<P>(one: Late<P>): [shown: ComponentType<P> | null, show: () => void, prepare: () => void] {
  const [shown, setShown] = useState<ComponentType<P> | null>(null);
  const say = useToast();

  async function show() {
    try {
      const there = one.there ?? (await one.fetch());
      setShown(() => there);
    } catch {
      say({ text: AWAY, bad: true });
    }
  }

  // Whoever only comes near is told nothing: should the fetch fail, showing tries once more.
  const prepare = () => void one.fetch().catch(() => {});
  return [shown, () => void show(), prepare];
}

interface DialogProps<P> {
  one: Late<P>;
  close: (props: P) => void;
  props: P;
}

function LateDialog<P extends object>({ one, close, props }: DialogProps<P>) {
  const [There, setThere] = useState(() => one.there);
  const say = useToast();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is fetched once, when it is opened.
  useEffect(() => {
    let left = false;
    one.fetch().then(
      (there) => left || setThere(() => there),
      () => {
        if (left) return;
        say({ text: AWAY, bad: true });
        close(props);
      },
    );
    return () => {
      left = true;
    };
  }, []);
  return There && <There {...props} />;
}

/**
 * A dialog whose code is fetched when it is first opened. Where that fails, a toast says so and it is closed again: the page
 * behind it stays as it is.
 *
 * @param close closes it, by its own properties.
 */
export function lateDialog<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  close: (props: P) => void,
): ComponentType<P> {
  const one = late(load);
  return (props) => <LateDialog one={one} close={close} props={props} />;
}
