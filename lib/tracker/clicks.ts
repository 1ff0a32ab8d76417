import { sendEvent } from "@/lib/tracker/pages";
import type { Details, Settings } from "@/lib/tracker/send";

/** Tracks outbound links, file downloads, tagged elements and form submissions. */

const TAG = "data-footfall-";
const TAGGED = `[${TAG}event]`;
const FILE =
  /\.(pdf|(doc|ppt|xls)x?|txt|rtf|csv|exe|key|pps|7z|pkg|rar|gz|zip|avi|mov|mp[34]|mpe?g|wm[av]|midi?|wav|dmg)$/i;

export function watchLinks({ domain }: Settings): void {
  const clicked = (event: MouseEvent) => {
    const [target] = event.composedPath() as Element[];
    // Only the left and middle buttons; the right one opens a menu. A document has no `closest`.
    if (event.button > 1 || !target?.closest) return;
    const tagged = target.closest(TAGGED);
    if (tagged) {
      if (tagged.tagName !== "FORM") sendEvent(...tagOf(tagged));
      return;
    }
    const link = target.closest<HTMLAnchorElement>("a[href]");
    if (!link || !/^http/.test(link.protocol)) return;
    // The query string can contain secrets.
    const props = { url: link.origin + link.pathname };
    if (link.hasAttribute("download") || FILE.test(link.pathname)) sendEvent("File Download", { props });
    else if (!`.${link.hostname}`.endsWith(`.${domain}`) && link.hostname !== location.hostname)
      sendEvent("Outbound Link: Click", { props });
  };
  // Capture phase: the page's own listeners may stop the event.
  addEventListener("click", clicked, true);
  addEventListener("auxclick", clicked, true);
}

/** Browsers fire `submit` only for valid forms. */
export function watchForms(): void {
  addEventListener(
    "submit",
    ({ target }) => {
      const form = target as Element;
      // A field named `id` would shadow `form.id`.
      const formName = form.getAttribute("id") || form.getAttribute("name");
      if (form.matches(TAGGED)) sendEvent(...tagOf(form));
      else sendEvent("Form: Submission", { props: formName ? { form: formName } : {} });
    },
    true,
  );
}

/**
 * Reads the event of an element: `data-footfall-event` is its name, `-revenue` and `-currency` its revenue, and others
 * are properties.
 */
function tagOf(element: Element): [string, Details] {
  const props: Record<string, string> = {};
  for (const { name, value } of element.attributes) if (name.startsWith(TAG)) props[name.slice(TAG.length)] = value;
  const { event = "", revenue: amount, currency, ...rest } = props;
  return [event, { props: rest, revenue: amount && currency ? { amount, currency } : undefined }];
}
