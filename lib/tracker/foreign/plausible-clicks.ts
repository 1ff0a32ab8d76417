import { sendEvent } from "@/lib/tracker/pages";
import type { Details } from "@/lib/tracker/send";

/** Tracks what Plausible's script tracks: elements with its classes, outbound links, file downloads and forms. */

export interface Clicks {
  outbound: boolean;
  files: boolean;
  tagged: boolean;
  /** Forms without a name of their own. */
  forms: boolean;
  /** Names of files that count as downloads, without the dot. */
  extensions: readonly string[];
}

export const FILE_EXTENSIONS =
  "pdf xlsx docx txt rtf csv exe key pps ppt pptx 7z pkg rar gz zip avi mov mp4 mpeg wmv midi mp3 wav wma dmg".split(
    " ",
  );

/** Levels above the clicked element at which classes still count. */
const LEVELS = 3;

export function watchClicks(clicks: Clicks): void {
  const clicked = (event: MouseEvent) => {
    const [target] = event.composedPath() as Element[];
    if (event.button > 1 || !target?.closest) return;
    const link = target.closest<HTMLAnchorElement>("a[href]");
    const [tagged] = clicks.tagged && !around(target, isForm)[0] ? around(target, isTagged).slice(-1) : [];
    if (tagged) {
      const [name, details] = tagOf(tagged);
      if (link) details.props = { ...details.props, url: addressOf(link) };
      sendEvent(name, details);
    }
    // A tagged link counts by its tag alone, and within a form not at all.
    if (!link || !/^http/.test(link.protocol) || (clicks.tagged && around(link, isTagged)[0])) return;
    const props = { url: addressOf(link) };
    if (clicks.outbound && link.host !== location.host) sendEvent("Outbound Link: Click", { props });
    else if (clicks.files && clicks.extensions.includes(link.pathname.split(".").pop() ?? ""))
      sendEvent("File Download", { props });
  };
  addEventListener("click", clicked, true);
  addEventListener("auxclick", clicked, true);
  if (clicks.tagged)
    addEventListener(
      "submit",
      ({ target }) => {
        const form = target as Element;
        // The tag of a form may be on the element around it.
        const tagged = [form, form.parentElement].find((element) => element && isTagged(element));
        if (tagged) sendEvent(...tagOf(tagged));
        else if (clicks.forms && !around(form, isTagged)[0]) sendEvent("Form: Submission");
      },
      true,
    );
}

/** The query string can contain secrets. */
const addressOf = (link: HTMLAnchorElement): string => link.origin + link.pathname;

const NAMED = /(?:^|\s)plausible-event-name(?:=|--)\S/;

/** Classes of an SVG element are an object. */
const classesOf = (element: Element): string => element.getAttribute("class") ?? "";

const isTagged = (element: Element): boolean => NAMED.test(classesOf(element));

/** A form counts when it is sent, so clicks within it do not. */
const isForm = (element: Element): boolean => element.tagName === "FORM";

/** Returns the target and the elements around it that are so, from the inside out. */
function around(target: Element, is: (element: Element) => boolean): Element[] {
  const found: Element[] = [];
  let element: Element | null = target;
  for (let level = 0; element && level <= LEVELS; level++, element = element.parentElement)
    if (is(element)) found.push(element);
  return found;
}

function tagOf(element: Element): [name: string, Details] {
  let name = "";
  const props: Record<string, string> = {};
  const revenue: Record<string, string> = {};
  for (const one of classesOf(element).split(/\s+/)) {
    const [, kind, key = "", value = ""] = /^plausible-(event|revenue)-(.+?)(?:=|--)(.+)$/.exec(one) ?? [];
    const text = value.replace(/\+/g, " ");
    if (kind === "revenue") revenue[key] = text;
    else if (kind && key.toLowerCase() === "name") name = text;
    else if (kind) props[key] = text;
  }
  const { amount, currency } = revenue;
  return [name, { props, revenue: amount && currency ? { amount, currency } : undefined }];
}
