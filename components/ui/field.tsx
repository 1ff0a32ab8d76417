import { type ComponentProps, useId } from "react";

interface Props extends ComponentProps<"input"> {
  label: string;
  hint?: string;
  /** What is wrong with the value, in words. */
  problem?: string;
  optional?: boolean;
}

const inputLook =
  "h-10 w-full rounded-lg border bg-surface px-3 text-ink placeholder:text-muted/70 aria-invalid:border-bad";

/** A labelled input with its hint and its problem beside it, tied together for screen readers. */
export function Field({ label, hint, problem, optional, className = "", ...input }: Props) {
  const id = useId();
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(" ");
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-muted">optional</span>}
      </label>
      <input
        {...input}
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={described || undefined}
        className={`${inputLook} border-line-strong ${className}`}
      />
      {problem && (
        <p id={`${id}-problem`} className="text-sm text-bad">
          {problem}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
