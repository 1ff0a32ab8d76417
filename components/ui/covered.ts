/** Dialogs and menus: what is open above the page has the keys. */
const ABOVE = "[role=dialog], dialog[open], [role=menu]";

export const isCovered = (): boolean => document.querySelector(ABOVE) !== null;

export const isAbove = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(ABOVE) !== null;

/** Whether something is said in passing, which Escape closes first. */
export const hasToast = (): boolean => document.querySelector("[data-toast][data-state=open]") !== null;
