"use client";

import { showIn } from "@/components/shell/language";
import { LANGUAGES, type Language } from "@/lib/texts/languages";
import { currentLanguage, t } from "@/lib/texts/translate";

interface Props {
  /** Stores the choice elsewhere, before the page is loaded again. @returns whether it succeeded */
  onChoose?: (language: Language) => Promise<boolean>;
}

/** Select field for the language of the interface. Each language has its own name. */
export const LanguageChoice = ({ onChoose }: Props) => (
  <select
    aria-label={t("Language")}
    defaultValue={currentLanguage()}
    onChange={async ({ target }) => {
      const language = target.value as Language;
      if ((await onChoose?.(language)) ?? true) showIn(language);
    }}
    className="h-8 rounded-md bg-transparent px-1.5 text-sm text-muted hover:bg-sunken hover:text-ink"
  >
    {Object.entries(LANGUAGES).map(([language, name]) => (
      <option key={language} value={language} lang={language}>
        {name}
      </option>
    ))}
  </select>
);
