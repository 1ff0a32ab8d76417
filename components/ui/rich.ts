import { createElement, Fragment, type ReactNode } from "react";
import { translatedParts } from "@/lib/texts/translate";

/** A value of a text: a node that stands for `{name}`, or what draws the text between `<name>` and `</name>`. */
type Value = ReactNode | ((text: ReactNode) => ReactNode);

/** Returns a translated text with elements in it: `rich("Read <link>the guide</link>.", { link: (text) => <a href="…">{text}</a> })`. */
export function rich(text: string, values: Record<string, Value>): ReactNode {
  const drawn = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "function" ? (parts: ReactNode[]) => value(together(parts)) : value,
  ]);
  return together(translatedParts(text, Object.fromEntries(drawn)) as ReactNode[]);
}

/** Parts of one text are never reordered, so they need no keys. */
const together = (parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
