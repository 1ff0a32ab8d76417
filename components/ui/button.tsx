import type { ComponentProps, MouseEvent } from "react";

const base =
  "inline-flex items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60";
const looks = {
  primary: "bg-accent text-accent-ink hover:bg-accent-strong",
  quiet: "border border-line bg-surface text-ink hover:bg-sunken",
  bare: "text-muted hover:bg-sunken hover:text-ink",
  danger: "border border-bad/40 bg-bad-soft text-bad hover:border-bad",
};
const sizes = { small: "h-8 px-3 text-sm", normal: "h-10 px-4 text-[0.9375rem]", large: "h-12 px-6 text-base" };

export interface Look {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
}

/** Returns the classes of a button, for links that should look like one. */
export const buttonLook = ({ look = "primary", size = "normal" }: Look, more = "") =>
  `${base} ${looks[look]} ${sizes[size]} ${more}`;

/**
 * A button that keeps the focus while it is disabled: it uses `aria-disabled`, because browsers take the focus away
 * from a disabled button and keyboard users would lose their place.
 */
export function Button({
  look,
  size,
  className,
  type = "button",
  disabled,
  onClick,
  ...rest
}: Look & ComponentProps<"button">) {
  return (
    <button
      type={type}
      className={buttonLook({ look, size }, className)}
      aria-disabled={disabled || undefined}
      onClick={disabled ? ignore : onClick}
      {...rest}
    />
  );
}

/** Also blocks the implicit submit by Enter, which browsers send as a click on the submit button. */
const ignore = (event: MouseEvent) => event.preventDefault();
