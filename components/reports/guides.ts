import { FRAMEWORKS, type Framework, installationFor } from "@/lib/sites/installation";

/** How to install with one framework, as the tabs show it. */
export interface Guide {
  key: string;
  label: string;
  steps: string[];
  /** What is copied: the tag, or the piece of program that prints it. */
  paste: string;
  notes: string[];
}

/** The guides for one domain, in the words that agents get from sites.installation. */
export function guidesFor(baseUrl: string, domain: string): Guide[] {
  return Object.entries(FRAMEWORKS).map(([key, label]) => {
    const { snippet, steps, code, notes } = installationFor(key as Framework, baseUrl, domain);
    const program = code.find(({ language }) => language === "php" || language === "tsx");
    return { key, label, steps, paste: program?.content ?? snippet, notes };
  });
}
