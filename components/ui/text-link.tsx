import Link from "next/link";
import type { ReactNode } from "react";

/** A link to another page within a text. */
export const TextLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} prefetch={false} className="text-accent underline">
    {children}
  </Link>
);
