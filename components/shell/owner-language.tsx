"use client";

import { Check } from "lucide-react";
import { useButtonAction } from "@/components/actions/actions";
import { showIn } from "@/components/shell/language";
import { LanguageChoice } from "@/components/shell/language-choice";
import { MenuChoice, MenuChoices } from "@/components/ui/menu";
import { LANGUAGES, type Language } from "@/lib/texts/languages";
import { currentLanguage, t } from "@/lib/texts/translate";

/** Returns a function that stores a language with the account, which emails are written in. A failure shows as a toast. */
function useStoredLanguage(): (language: Language) => Promise<boolean> {
  const { perform } = useButtonAction("account.set_language");
  const store = async (language: Language): Promise<boolean> =>
    (await perform({ language }, () => void store(language))) !== null;
  return store;
}

/** The choice of a language at the end of a signed-in person's pages. */
export const OwnerLanguageChoice = () => <LanguageChoice onChoose={useStoredLanguage()} />;

/** The languages as items of the account menu. */
export function LanguageItems() {
  const store = useStoredLanguage();
  return (
    <fieldset>
      <legend className="px-2.5 py-1 text-xs text-muted">{t("Language")}</legend>
      <MenuChoices chosen={currentLanguage()}>
        {(Object.entries(LANGUAGES) as [Language, string][]).map(([language, name]) => (
          <MenuChoice key={language} value={language}>
            <button
              type="button"
              lang={language}
              onClick={async () => {
                if (await store(language)) showIn(language);
              }}
            >
              {name}
              {language === currentLanguage() && <Check className="size-4 text-accent" />}
            </button>
          </MenuChoice>
        ))}
      </MenuChoices>
    </fieldset>
  );
}
