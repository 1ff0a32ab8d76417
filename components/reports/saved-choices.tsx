import { Check } from "lucide-react";
import Link from "next/link";
import { type Patch, ViewLink } from "@/components/reports/view-frame";
import { MenuChoice, MenuChoices } from "@/components/ui/menu";
import { t } from "@/lib/texts/translate";

interface Choice {
  /** Empty for the choice of no saved object. */
  id: string;
  name: string;
  /** Description; null for none. */
  about: string | null;
  /** Name of who made it; left out where the menu does not say it. */
  maker?: string | null;
  /** Search parameters that open it. */
  patch: Patch;
  /** The address that opens it, where that is another page. */
  href?: string;
}

/** The saved objects of one kind as choices of a menu. */
export const SavedChoices = ({ choices, chosen }: { choices: Choice[]; chosen: string }) => (
  <div className="max-h-80 overflow-y-auto sm:w-64">
    <MenuChoices chosen={chosen}>
      {choices.map((choice) => (
        <MenuChoice key={choice.id} value={choice.id}>
          {choice.href ? (
            <Link href={choice.href} prefetch={false}>
              <Face {...choice} isChosen={choice.id === chosen} />
            </Link>
          ) : (
            <ViewLink patch={choice.patch}>
              <Face {...choice} isChosen={choice.id === chosen} />
            </ViewLink>
          )}
        </MenuChoice>
      ))}
    </MenuChoices>
  </div>
);

interface ChosenProps {
  /** The saved object that is open; null for none. */
  chosen: { name: string; changed: boolean } | null;
  /** Shown for none. */
  none: string;
  className?: string;
}

/** The name of the saved object that is open, for the button of its menu, and whether it was changed since. */
export const ChosenName = ({ chosen, none, className = "" }: ChosenProps) => (
  <span className="flex gap-1.5">
    <span className={`block max-w-40 truncate ${className}`}>{chosen?.name ?? none}</span>
    {chosen?.changed && <span className="font-normal text-muted">{t("changed")}</span>}
  </span>
);

function Face({ name, about, maker, isChosen }: Pick<Choice, "name" | "about" | "maker"> & { isChosen: boolean }) {
  const whole = about === null ? null : [about, maker && t("by {maker}", { maker })].filter(Boolean).join(" · ");
  return (
    <>
      <span className="min-w-0">
        <span className="block truncate">{name}</span>
        {whole !== null && (
          <span className="block truncate text-xs font-normal text-muted" title={whole}>
            {whole}
          </span>
        )}
      </span>
      <Check className={`size-4 shrink-0 text-accent ${isChosen ? "" : "invisible"}`} />
    </>
  );
}
