import { FRAMEWORKS, type Framework, installationFor } from "@/lib/sites/installation";

/** Installation guide for one framework. */
export interface Guide {
  key: string;
  label: string;
  steps: string[];
  /** The code to copy: the script tag, or the code that renders it. */
  paste: string;
  notes: string[];
}

/** Returns the installation guides for a domain, with the same texts as the operation sites.installation. */
export function guidesFor(baseUrl: string, domain: string): Guide[] {
  return Object.entries(FRAMEWORKS).map(([key, label]) => {
    const { snippet, steps, code, notes } = installationFor(key as Framework, baseUrl, domain);
    const program = code.find(({ language }) => language === "php" || language === "tsx");
    return { key, label, steps, paste: program?.content ?? snippet, notes };
  });
}
