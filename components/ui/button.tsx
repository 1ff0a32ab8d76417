import Link from "next/link";
import type { ComponentProps } from "react";

const base =
  "inline-flex items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-60";
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

const classOf = ({ look = "primary", size = "normal" }: Look, more = "") =>
  `${base} ${looks[look]} ${sizes[size]} ${more}`;

export function Button({ look, size, className, type = "button", ...rest }: Look & ComponentProps<"button">) {
  return <button type={type} className={classOf({ look, size }, className)} {...rest} />;
}

export function ButtonLink({ look, size, className, ...rest }: Look & ComponentProps<typeof Link>) {
  return <Link className={classOf({ look, size }, className)} {...rest} />;
}
