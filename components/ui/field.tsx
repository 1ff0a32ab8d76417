import { type ComponentProps, type ReactNode, useId } from "react";

interface FrameProps {
  label: string;
  hint?: string | undefined;
  /** What is wrong with the value, in words. */
  problem?: string | undefined;
  optional?: boolean | undefined;
  /** The input itself, given what ties it to the words around it. */
  children(tied: Pick<ComponentProps<"input">, "id" | "aria-invalid" | "aria-describedby">): ReactNode;
}

/** How inputs of a line of their own look. */
export const inputLook =
  "h-10 w-full rounded-lg border border-line-strong bg-surface px-3 text-ink placeholder:text-muted/70 aria-invalid:border-bad";

/** A label above an input, and its hint, or what is wrong with it, below; tied together for screen readers. */
export function InputFrame({ label, hint, problem, optional, children }: FrameProps) {
  const id = useId();
  const note = problem ?? hint;
  const described = note ? `${id}-note` : undefined;
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-muted">optional</span>}
      </label>
      {children({ id, "aria-invalid": problem ? true : undefined, "aria-describedby": described })}
      {note && (
        <p
          id={described}
          role={problem ? "alert" : undefined}
          className={`text-sm ${problem ? "text-bad" : "text-muted"}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}

interface Props extends ComponentProps<"input">, Omit<FrameProps, "children"> {}

/** A labelled input with its hint, or what is wrong with it. */
export const Field = ({ label, hint, problem, optional, className = "", ...input }: Props) => (
  <InputFrame {...{ label, hint, problem, optional }}>
    {(tied) => <input {...input} {...tied} className={`${inputLook} ${className}`} />}
  </InputFrame>
);
