/** Open dialogs and menus. While one is open, page shortcuts are off. */
const OVERLAYS = "[role=dialog], dialog[open], [role=menu]";

export const hasOpenOverlay = (): boolean => document.querySelector(OVERLAYS) !== null;

export const isInOverlay = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(OVERLAYS) !== null;

/** Returns whether a toast is open, which Escape closes first. */
export const hasToast = (): boolean => document.querySelector("[data-toast][data-state=open]") !== null;
