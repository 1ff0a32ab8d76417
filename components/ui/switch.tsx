import type { ComponentProps, ReactNode } from "react";

interface Props extends Omit<ComponentProps<"input">, "type"> {
  label: string;
  hint?: ReactNode;
}

/** An on/off switch with a label and a hint. */
export const Switch = ({ label, hint, ...input }: Props) => (
  <label className="flex cursor-pointer items-start justify-between gap-4">
    <span className="min-w-0">
      <span className="block text-sm font-medium">{label}</span>
      {hint && <span className="block text-sm text-muted">{hint}</span>}
    </span>
    <input {...input} type="checkbox" className="peer sr-only" />
    <span
      aria-hidden="true"
      className="relative mt-0.5 h-6 w-10 shrink-0 rounded-full bg-line-strong transition-colors peer-checked:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-accent after:absolute after:top-0.5 after:left-0.5 after:size-5 after:rounded-full after:bg-white after:transition-transform peer-checked:after:translate-x-4"
    />
  </label>
);
