import { Check } from "lucide-react";
import { type Patch, ViewLink } from "@/components/reports/view-frame";
import { MenuChoice, MenuChoices } from "@/components/ui/menu";

interface Choice {
  /** Empty for the choice of no saved object. */
  id: string;
  name: string;
  /** Description; null for none. */
  about: string | null;
  /** Search parameters that open it. */
  patch: Patch;
}

/** The saved objects of one kind as choices of a menu. */
export const SavedChoices = ({ choices, chosen }: { choices: Choice[]; chosen: string }) => (
  <div className="max-h-80 overflow-y-auto sm:w-64">
    <MenuChoices chosen={chosen}>
      {choices.map(({ id, name, about, patch }) => (
        <MenuChoice key={id} value={id}>
          <ViewLink patch={patch}>
            <span className="min-w-0">
              <span className="block truncate">{name}</span>
              {about !== null && (
                <span className="block truncate text-xs font-normal text-muted" title={about}>
                  {about}
                </span>
              )}
            </span>
            <Check className={`size-4 shrink-0 text-accent ${id === chosen ? "" : "invisible"}`} />
          </ViewLink>
        </MenuChoice>
      ))}
    </MenuChoices>
  </div>
);
