import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

const looks = {
  boxed: "border border-line bg-surface shadow-card hover:bg-sunken",
  bare: "hover:bg-sunken",
};

/** Classes of a button that opens a panel below it. */
export const menuLook = (look: keyof typeof looks) =>
  `flex h-9 max-w-full items-center gap-2 rounded-lg px-3 text-sm font-medium aria-expanded:bg-sunken ${looks[look]}`;

/** Classes of that panel. On phones it is as wide as the page. */
export const panelLook =
  "card z-30 min-w-52 animate-drop overflow-y-auto overscroll-contain p-1.5 shadow-xl outline-none max-sm:w-[calc(100vw-2rem)]";

export interface PanelProps {
  /** Button content. */
  label: ReactNode;
  /** Read by screen readers before the label, such as "Period". */
  name: string;
  icon?: ReactNode;
  look?: keyof typeof looks;
}

export const MenuFace = ({ label, name, icon, look }: PanelProps) => (
  <>
    {icon && <span className="hidden sm:block xl:max-2xl:group-data-full/bar:hidden">{icon}</span>}
    <span className="sr-only">{name}: </span>
    <span className="truncate">{label}</span>
    <ChevronDown className={`size-3.5 shrink-0 text-muted ${look === "boxed" ? "max-sm:hidden" : ""}`} />
  </>
);
