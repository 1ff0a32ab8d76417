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

/** A labelled input with its hint, or what is wrong with it, below; tied together for screen readers. */
export function Field({ label, hint, problem, optional, className = "", ...input }: Props) {
  const id = useId();
  const note = problem ?? hint;
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
        aria-describedby={note ? `${id}-note` : undefined}
        className={`${inputLook} border-line-strong ${className}`}
      />
      {note && (
        <p
          id={`${id}-note`}
          role={problem ? "alert" : undefined}
          className={`text-sm ${problem ? "text-bad" : "text-muted"}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}
