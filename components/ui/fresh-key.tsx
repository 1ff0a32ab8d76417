import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";

interface FreshProps {
  title: string;
  about: string;
  children: ReactNode;
}

/** Shows what was just made, and moves focus there: the button that had it is gone or far below. */
export function Fresh({ children, ...section }: FreshProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div ref={box} tabIndex={-1} className="outline-none">
      <Section {...section}>{children}</Section>
    </div>
  );
}

interface Props {
  title: string;
  secret: string;
  /** What is copied, for screen readers. */
  what?: string;
  onDone(): void;
}

/** Shows a new key or secret. It cannot be shown again. */
export const FreshKey = ({ title, secret, what = t("the key"), onDone }: Props) => (
  <Fresh
    title={title}
    about={t("Shown only once. Store it with the secrets of your server, never in a page, an app or a repository.")}
  >
    <div className="space-y-3">
      <p
        data-testid="fresh-key"
        className="rounded-lg bg-sunken px-3.5 py-3 font-mono text-sm [overflow-wrap:anywhere] select-all"
      >
        {secret}
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" onClick={onDone}>
          {t("I have saved it")}
        </Button>
        <CopyButton text={secret} what={what} />
      </div>
    </div>
  </Fresh>
);
