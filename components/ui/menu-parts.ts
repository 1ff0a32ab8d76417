import type * as Radix from "@radix-ui/react-dropdown-menu";
import { createContext, use } from "react";

/** What items are made of, which comes with the first menu that is opened. */
interface Parts extends Pick<typeof Radix, "Item" | "RadioGroup" | "RadioItem"> {
  /** Gives the focus to the menu's button. */
  leave(): void;
}

export const MenuParts = createContext<Parts | null>(null);

export function useMenuParts(): Parts {
  const parts = use(MenuParts);
  if (!parts) throw new Error("There is no menu around this item");
  return parts;
}
