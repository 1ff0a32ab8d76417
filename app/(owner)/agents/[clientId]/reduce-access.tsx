"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Notice } from "@/components/ui/notice";
import type { Scope } from "@/lib/contract/access";
import { t } from "@/lib/texts/translate";

interface Props {
  clientId: string;
  scopes: { scope: string; about: string }[];
  sites: { siteId: number; label: string }[];
  /** The current access, shown while the form is closed. */
  children: ReactNode;
}

/** Removes scopes or sites from an agent. More access needs a new consent. */
export function ReduceAccess({ clientId, scopes, sites, children }: Props) {
  const { perform, busy, problems } = useAction("agents.narrow");
  const [open, setOpen] = useState<boolean>();
  const router = useRouter();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const ticked = new FormData(event.currentTarget);
    const left = { scopes: ticked.getAll("scope") as Scope[], site_ids: ticked.getAll("site").map(Number) };
    if ((await perform({ client_id: clientId, ...left })) === null) return;
    setOpen(false);
    router.refresh();
  }

  if (!open) {
    return (
      <>
        {children}
        <Button look="quiet" size="small" className="mt-4" autoFocus={open === false} onClick={() => setOpen(true)}>
          {t("Reduce access")}
        </Button>
      </>
    );
  }
  return (
    <form
      ref={takeFocus}
      tabIndex={-1}
      aria-label={t("Reduce access")}
      onSubmit={submit}
      className="space-y-4 outline-none"
    >
      <p className="text-sm text-muted">
        {t(
          "Untick what the agent should no longer have. Takes effect at its next call. To give it more, connect it again.",
        )}
      </p>
      {problems.message && <Notice>{problems.message}</Notice>}
      <div className="grid gap-4 sm:grid-cols-2">
        <fieldset className="min-w-0">
          <legend className="mb-1 text-sm font-medium">{t("Permissions")}</legend>
          <div className="divide-y divide-line rounded-lg border border-line">
            {scopes.map(({ scope, about }) => (
              <Checkbox key={scope} name="scope" value={scope} defaultChecked label={about} />
            ))}
          </div>
        </fieldset>
        {sites.length > 0 && (
          <fieldset className="min-w-0">
            <legend className="mb-1 text-sm font-medium">{t("Sites")}</legend>
            <div className="max-h-80 divide-y divide-line overflow-y-auto rounded-lg border border-line">
              {sites.map(({ siteId, label }) => (
                <Checkbox key={siteId} name="site" value={siteId} defaultChecked label={label} />
              ))}
            </div>
          </fieldset>
        )}
      </div>
      <div className="flex gap-2">
        <Button look="quiet" onClick={() => setOpen(false)}>
          {t("Cancel")}
        </Button>
        <Button type="submit" disabled={busy}>
          {busy ? t("Saving…") : t("Save")}
        </Button>
      </div>
    </form>
  );
}

/** The button that had focus is gone, so focus moves to the form. */
const takeFocus = (form: HTMLFormElement | null) => form?.focus();
