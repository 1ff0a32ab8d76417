import type { ReactNode } from "react";

interface Props {
  name: string;
  /** One word beside the name. */
  badge?: ReactNode;
  /** What it is, in words. */
  about: ReactNode;
  /** Who made it; null when nobody knows. */
  maker: string | null;
  /** What can be done with it. */
  children?: ReactNode;
}

/** Something that a site has saved, in a list of such. */
export const SavedRow = ({ name, badge, about, maker, children }: Props) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2.5">
    <div className="min-w-0 flex-1 basis-56 text-sm">
      <p className="flex flex-wrap items-center gap-x-2 font-medium">
        <span className="min-w-0 break-words">{name}</span>
        {badge}
      </p>
      <p className="break-words text-muted">
        {about}
        {maker && <> · by {maker}</>}
      </p>
    </div>
    {children && <div className="flex flex-wrap gap-2">{children}</div>}
  </li>
);
