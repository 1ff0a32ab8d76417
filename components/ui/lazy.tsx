"use client";

import { Activity, type ComponentType, lazy as lazyOf, useEffect, useState } from "react";
import { UNREACHABLE, useToast } from "@/components/ui/toaster";
import { t } from "@/lib/texts/translate";

/** A component whose code is loaded on demand, once for all its uses. */
interface LazyComponent<P> {
  /** null until it is loaded. */
  loaded: ComponentType<P> | null;
  load(): Promise<ComponentType<P>>;
}

export function lazyComponent<P>(load: () => Promise<{ default: ComponentType<P> }>): LazyComponent<P> {
  const lazy: LazyComponent<P> = {
    loaded: null,
    async load() {
      lazy.loaded ??= (await load()).default;
      return lazy.loaded;
    },
  };
  return lazy;
}

/**
 * @returns the component (null until it is shown), a function that shows it (synchronously if it is loaded), and a
 * function that preloads it
 */
export function useLazyComponent<P>(
  lazy: LazyComponent<P>,
): [shown: ComponentType<P> | null, show: () => void, preload: () => void] {
  const [shown, setShown] = useState<ComponentType<P> | null>(null);
  const showToast = useToast();

  async function show() {
    try {
      const component = lazy.loaded ?? (await lazy.load());
      setShown(() => component);
    } catch {
      showToast({ text: t(UNREACHABLE), bad: true });
    }
  }

  // A failed preload shows no error: `show` tries again.
  const preload = () => void Promise.allSettled([lazy.load()]);
  return [shown, () => void show(), preload];
}

type Closable = { onClose(): void } | { onCancel(): void };

function LazyDialog<P extends Closable>({ lazy, props }: { lazy: LazyComponent<P>; props: P }) {
  const [Component, setComponent] = useState(() => lazy.loaded);
  const showToast = useToast();
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads once, when the dialog opens.
  useEffect(() => {
    let isUnmounted = false;
    lazy.load().then(
      (component) => isUnmounted || setComponent(() => component),
      () => {
        if (isUnmounted) return;
        showToast({ text: t(UNREACHABLE), bad: true });
        if ("onClose" in props) props.onClose();
        else props.onCancel();
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, []);
  return Component && <Component {...props} />;
}

/** Returns a dialog whose code is loaded when it first opens. If loading fails, a toast reports it and it closes again. */
export function lazyDialog<P extends Closable>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  const lazy = lazyComponent(load);
  return (props) => <LazyDialog lazy={lazy} props={props} />;
}

/**
 * Returns a component whose code is loaded where a page has it, and is rendered with the page on the server. Until it is
 * loaded, the server's HTML stays; React would send a large part of a Suspense after the page, even if it is ready.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let Part = begin();
  return (props) => {
    const Current = Part;
    return (
      <Activity>
        <Current {...props} />
      </Activity>
    );
  };

  /** React keeps an error for good, so each failed load is followed by a new one, which a retry of the part begins. */
  function begin(): ComponentType<P> {
    const loading = async () => {
      try {
        return { default: await load() };
      } catch (error) {
        Part = begin();
        throw error;
      }
    };
    return lazyOf(loading) as unknown as ComponentType<P>;
  }
}
