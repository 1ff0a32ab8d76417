import type { ComponentProps } from "react";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";

interface Named {
  /** Visible label. */
  action: string;
  /** Name of the row, for screen readers. */
  name: string;
}

/** Action button in a row of a list. */
export const RowButton = ({ action, name, ...button }: Named & Omit<ComponentProps<typeof Button>, "name">) => (
  <Button look="quiet" size="small" aria-label={`${action} ${name}`} {...button}>
    {action}
  </Button>
);

/** The same for a link. */
export const RowLink = ({ action, name, href }: Named & { href: string }) => (
  <ButtonLink href={href} look="quiet" size="small" aria-label={`${action} ${name}`}>
    {action}
  </ButtonLink>
);
