import Link from "next/link";
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

interface Look {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
}

/** How a button looks, for links that go their own way. */
export const buttonLook = ({ look = "primary", size = "normal" }: Look, more = "") =>
  `${base} ${looks[look]} ${sizes[size]} ${more}`;

/**
 * A button that, while it is disabled, does nothing and yet keeps the focus: a browser would drop that, and the keyboard
 * with it, whenever a button is busy.
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

/** A press of Enter in a form comes here too, as a click on its button. */
const ignore = (event: MouseEvent) => event.preventDefault();

export function ButtonLink({ look, size, className, ...rest }: Look & ComponentProps<typeof Link>) {
  return <Link prefetch={false} className={buttonLook({ look, size }, className)} {...rest} />;
}
