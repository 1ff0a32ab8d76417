import Link from "next/link";
import type { ComponentProps } from "react";

/** A link to one of several parts of a list. `aria-current` marks the one that is shown. */
export const PillLink = ({ className = "", ...rest }: ComponentProps<typeof Link>) => (
  <Link
    prefetch={false}
    className={`rounded-md px-2.5 py-1 text-muted hover:bg-sunken hover:text-ink aria-[current=true]:bg-accent-soft aria-[current=true]:font-medium aria-[current=true]:text-accent ${className}`}
    {...rest}
  />
);
