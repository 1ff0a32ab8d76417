import type { ComponentProps, ReactNode } from "react";

interface Props extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A checkbox with a label and a hint; the whole line is clickable. */
export const Checkbox = ({ label, hint, ...input }: Props) => (
  <label className="flex cursor-pointer items-start gap-3 px-4 py-2.5 hover:bg-sunken/60 has-disabled:cursor-not-allowed">
    <input {...input} type="checkbox" className="mt-[0.1875rem] size-4 shrink-0 accent-accent" />
    <span className="min-w-0 text-sm">
      <span className="block break-words">{label}</span>
      {hint && <span className="block break-words text-muted">{hint}</span>}
    </span>
  </label>
);
