import type { ReactNode } from "react";
import { t } from "@/lib/texts/translate";

interface Props {
  name: string;
  /** Badge after the name. */
  badge?: ReactNode;
  /** Description. */
  about: ReactNode;
  /** Name of the creator; null if unknown or no longer a member. */
  maker: string | null;
  /** Action buttons. */
  children?: ReactNode;
}

/** A row in a list of saved objects of a site. */
export const SavedRow = ({ name, badge, about, maker, children }: Props) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
    <div className="min-w-0 flex-1 basis-56 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 font-medium">
        <span className="min-w-0 break-words">{name}</span>
        {badge}
      </p>
      <p className="break-words text-muted">
        {about}
        {maker && <> · {t("by {maker}", { maker })}</>}
      </p>
    </div>
    {children && <div className="flex flex-wrap gap-2">{children}</div>}
  </li>
);
