import { type ReactNode, useId } from "react";

interface Props {
  title: string;
  about?: ReactNode;
  /** Badge after the title. */
  badge?: ReactNode;
  /** Content at the right edge of the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A card of a settings page, with a title and a description. */
export function Section({ title, about, badge, aside, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-4 sm:px-5">
        <div className="min-w-0 flex-1 basis-60">
          <h2 id={id} className="flex items-center gap-2 font-semibold">
            {title}
            {badge}
          </h2>
          {about && <p className="mt-0.5 text-sm text-muted">{about}</p>}
        </div>
        {aside}
      </div>
      <div className="p-4 sm:px-5">{children}</div>
    </section>
  );
}
