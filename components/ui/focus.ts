/**
 * Returns a function that gives an element the focus again or, if it is gone, the section that it was in: the keyboard
 * continues there instead of at the top of the page. It does nothing while another element has the focus.
 */
export function keepFocus(element: Element | null): () => void {
  const section = element?.closest<HTMLElement>("section");
  return () => {
    if (document.activeElement !== document.body) return;
    if (element?.isConnected && element instanceof HTMLElement) element.focus();
    else if (section) {
      section.tabIndex = -1;
      section.focus();
    }
  };
}
