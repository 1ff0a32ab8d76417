import { settle, tell } from "@/lib/tracker/pages";
import type { Details, Settings } from "@/lib/tracker/send";

/** What people do on a page: follow a link away, load a file, use what the owner tagged, send a form. */

const TAG = "data-footfall-";
const FILE =
  /\.(pdf|xlsx?|docx?|txt|rtf|csv|exe|key|pps|pptx?|7z|pkg|rar|gz|zip|avi|mov|mp4|mpe?g|wmv|midi?|mp3|wav|wma|dmg)$/i;

function did(name: string, details: Details): void {
  settle();
  tell(name, details);
}

export function watchLinks({ domain }: Settings): void {
  const clicked = (event: MouseEvent) => {
    const [target] = event.composedPath();
    // Left and middle; the right one opens a menu.
    if (event.button > 1 || !(target instanceof Element)) return;
    const tagged = target.closest(`[${TAG}event]`);
    if (tagged) {
      if (tagged.tagName !== "FORM") did(...tagOf(tagged));
      return;
    }
    const link = target.closest("a[href]") as HTMLAnchorElement | null;
    if (!link || !/^http/.test(link.protocol)) return;
    // What stands behind the ? can be a secret.
    const props = { url: link.origin + link.pathname };
    if (link.hasAttribute("download") || FILE.test(link.pathname)) did("File Download", { props });
    else if (!`.${link.hostname}`.endsWith(`.${domain}`) && link.hostname !== location.hostname)
      did("Outbound Link: Click", { props });
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
      if (form.hasAttribute(`${TAG}event`)) did(...tagOf(form));
      else did("Form: Submission", { props: called ? { form: called } : {} });
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
