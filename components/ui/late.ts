import { type ComponentType, useState } from "react";

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

  async function show() {
    try {
      const there = one.there ?? (await one.fetch());
      setShown(() => there);
    } catch (error) {
      // Thrown while rendering, so that the page's own error boundary says it and offers to try again.
      setShown(() => {
        throw error;
      });
    }
  }

  // Whoever only comes near is told nothing: should the fetch fail, showing tries once more.
  const prepare = () => void one.fetch().catch(() => {});
  return [shown, () => void show(), prepare];
}
