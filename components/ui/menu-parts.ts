import type * as Radix from "@radix-ui/react-dropdown-menu";
import { createContext, use } from "react";

/** The Radix components of menu items, loaded with the first menu that opens. */
interface Parts extends Pick<typeof Radix, "Item" | "RadioGroup" | "RadioItem"> {
  /** Moves the focus to the menu's button. */
  focusButton(): void;
}

export const MenuParts = createContext<Parts | null>(null);

export function useMenuParts(): Parts {
  const parts = use(MenuParts);
  if (!parts) throw new Error("A menu item must be inside a Menu");
  return parts;
}
