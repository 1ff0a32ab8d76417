"use client";

import { useState } from "react";
import { CodeBlock } from "@/components/docs/code";
import { OwnOrigin } from "@/components/docs/own-origin";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Tabs } from "@/components/ui/tabs";
import { FRAMEWORKS, type Framework, guideInWords, installationFor, type TrackedSite } from "@/lib/sites/installation";
import {
  AUTOMATIC,
  FEATURES,
  MAX_SEARCH_PARAMETERS,
  PAGES_ONLY,
  SEARCH_PARAMETER,
  searchNames,
  type TrackingOptions,
} from "@/lib/sites/tracking-options";
import { t } from "@/lib/texts/translate";

const USUAL_PARAMETERS = "q, s, search, query";

/** Installation guides in tabs, one per framework, with a copy button, for what is ticked above them. */
export function SnippetTabs({ site }: { site: TrackedSite }) {
  const [options, setOptions] = useState(PAGES_ONLY);
  const [typed, setTyped] = useState("");
  const { automatic, hash } = options;
  const names = searchNames(typed);
  const fits = names.length <= MAX_SEARCH_PARAMETERS && names.every((name) => SEARCH_PARAMETER.test(name));
  const guides = guidesFor(site, { ...options, searchParameters: fits ? names : [] });

  return (
    <>
      <fieldset className="mb-4">
        <legend className="text-sm font-medium">{t("What to count besides pages")}</legend>
        <div className="mt-1.5 -mx-4 grid sm:grid-cols-2">
          {FEATURES.map((feature) => (
            <Checkbox
              key={feature}
              label={t(AUTOMATIC[feature].label)}
              hint={t(AUTOMATIC[feature].hint)}
              checked={automatic.includes(feature)}
              onChange={({ target }) =>
                setOptions({
                  ...options,
                  automatic: FEATURES.filter((one) => (one === feature ? target.checked : automatic.includes(one))),
                })
              }
            />
          ))}
          <Checkbox
            label={t("Pages after the #")}
            hint={t("Only if your routes look like /#/pricing.")}
            checked={hash}
            onChange={({ target }) => setOptions({ ...options, hash: target.checked })}
          />
        </div>
        {automatic.includes("search") && (
          <div className="mt-2 max-w-sm">
            <Field
              label={t("Query parameters of the search")}
              optional
              placeholder={USUAL_PARAMETERS}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              hint={t(
                "Separated by commas: the part before = in the address of a page of results, such as term in /find?term=shoes.",
              )}
              problem={
                fits
                  ? undefined
                  : t(
                      "Enter at most {count} names of letters, digits, dots, hyphens, underscores and brackets. Until then, the snippet has the usual ones.",
                      { count: MAX_SEARCH_PARAMETERS },
                    )
              }
            />
          </div>
        )}
      </fieldset>
      <Tabs
        name={t("Framework")}
        tabs={guides.map((guide) => ({ key: guide.key, label: t(guide.label), content: <GuideSteps guide={guide} /> }))}
      />
    </>
  );
}

function GuideSteps({ guide: { label, steps, paste, notes } }: { guide: Guide }) {
  return (
    <div className="mt-3">
      <ol className="mb-3 list-decimal space-y-1 pl-5 text-sm text-muted">
        {steps.map((step) => (
          <li key={step}>
            <OwnOrigin text={guideInWords(step)} />
          </li>
        ))}
      </ol>
      <CodeBlock text={paste} what={t("the {framework} snippet", { framework: label })} />
      <ul className="mt-3 space-y-1 text-xs text-muted">
        {notes.map((note) => (
          <li key={note}>
            <OwnOrigin text={guideInWords(note)} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Installation guide for one framework. */
interface Guide {
  key: string;
  label: string;
  steps: string[];
  /** The code to copy: the script tag, or the code that renders it. */
  paste: string;
  notes: string[];
}

/** Returns the installation guides for a site, with the same texts as the operation sites.installation. */
function guidesFor(site: TrackedSite, options: TrackingOptions): Guide[] {
  return Object.entries(FRAMEWORKS).map(([key, label]) => {
    const { snippet, steps, code, notes } = installationFor(key as Framework, site, options);
    const program = code.find(({ language }) => language === "php" || language === "tsx");
    return { key, label, steps, paste: program?.content ?? snippet, notes };
  });
}
