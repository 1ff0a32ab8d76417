import { tell } from "@/lib/tracker/pages";
import type { Details, Settings } from "@/lib/tracker/send";

/** What people do on a page: follow a link away, load a file, use what the owner tagged, send a form. */

const TAG = "data-footfall-";
const TAGGED = `[${TAG}event]`;
const FILE =
  /\.(pdf|(doc|ppt|xls)x?|txt|rtf|csv|exe|key|pps|7z|pkg|rar|gz|zip|avi|mov|mp[34]|mpe?g|wm[av]|midi?|wav|dmg)$/i;

export function watchLinks({ domain }: Settings): void {
  const clicked = (event: MouseEvent) => {
    const [target] = event.composedPath() as Element[];
    // Left and middle; the right one opens a menu. A document has nothing around it.
    if (event.button > 1 || !target?.closest) return;
    const tagged = target.closest(TAGGED);
    if (tagged) {
      if (tagged.tagName !== "FORM") tell(...tagOf(tagged));
      return;
    }
    const link = target.closest<HTMLAnchorElement>("a[href]");
    if (!link || !/^http/.test(link.protocol)) return;
    // What stands behind the ? can be a secret.
    const props = { url: link.origin + link.pathname };
    if (link.hasAttribute("download") || FILE.test(link.pathname)) tell("File Download", { props });
    else if (!`.${link.hostname}`.endsWith(`.${domain}`) && link.hostname !== location.hostname)
      tell("Outbound Link: Click", { props });
  };
  // Before the page's own listeners, which may stop the event.
  addEventListener("click", clicked, true);
  addEventListener("auxclick", clicked, true);
}

/** A browser tells of a submission only when the form was valid. */
export function watchForms(): void {
  addEventListener(
    "submit",
    ({ target }) => {
      const form = target as Element;
      // A field of that name would stand in the way of `form.id`.
      const called = form.getAttribute("id") || form.getAttribute("name");
      if (form.matches(TAGGED)) tell(...tagOf(form));
      else tell("Form: Submission", { props: called ? { form: called } : {} });
    },
    true,
  );
}

/** `data-footfall-event` names the event, `-revenue` and `-currency` its revenue, any other is a property. */
function tagOf(element: Element): [string, Details] {
  const props: Record<string, string> = {};
  for (const { name, value } of element.attributes) if (name.startsWith(TAG)) props[name.slice(TAG.length)] = value;
  const { event = "", revenue: amount, currency, ...rest } = props;
  return [event, { props: rest, revenue: amount && currency ? { amount, currency } : undefined }];
}
