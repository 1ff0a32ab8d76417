import Link from "next/link";
import type { ComponentProps } from "react";
import { buttonLook, type Look } from "@/components/ui/button";

/** A link that looks like a button. Apart from it, so that pages of errors load no code of links. */
export function ButtonLink({ look, size, className, ...rest }: Look & ComponentProps<typeof Link>) {
  return <Link prefetch={false} className={buttonLook({ look, size }, className)} {...rest} />;
}
