"use client";

import { useState } from "react";
import { useRemoval } from "@/components/actions/removal";
import { DeleteSaved } from "@/components/reports/delete-saved";
import { SavedRow } from "@/components/reports/saved-row";
import { ButtonLink } from "@/components/ui/button-link";
import { RowButton, RowLink } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { t } from "@/lib/texts/translate";

interface Funnel {
  id: string;
  name: string;
  /** Description of its steps and window. */
  about: string;
  maker: string | null;
  /** URL of its report. */
  href: string;
}

interface Props {
  siteId: number;
  funnels: Funnel[];
  /** Whether the reader can change them. */
  manages: boolean;
}

/** Saved funnels of a site. They are edited on their report page. */
export function Funnels({ siteId, funnels, manages }: Props) {
  const [deleting, setDeleting] = useState<Funnel>();
  const { shown, remove } = useRemoval(
    "sites.funnels.delete",
    funnels,
    ({ id }) => id,
    ({ id }) => ({ site_id: siteId, id }),
  );

  return (
    <Section
      title={t("Funnels")}
      about={t("Sequences of steps that visitors complete in order.")}
      aside={
        manages && (
          <ButtonLink href={`/sites/${siteId}/reports/funnels#build`} size="small">
            {t("New funnel")}
          </ButtonLink>
        )
      }
    >
      <Rows empty={t("No funnels yet. A funnel shows at which step visitors drop off.")}>
        {shown.map((funnel) => (
          <SavedRow key={funnel.id} name={funnel.name} about={funnel.about} maker={funnel.maker}>
            <RowLink action={t("Show")} name={t("the funnel {name}", { name: funnel.name })} href={funnel.href} />
            {manages && (
              <>
                <RowLink
                  action={t("Edit")}
                  name={t("the funnel {name}", { name: funnel.name })}
                  href={`${funnel.href}#build`}
                />
                <RowButton
                  action={t("Delete")}
                  name={t("the funnel {name}", { name: funnel.name })}
                  onClick={() => setDeleting(funnel)}
                />
              </>
            )}
          </SavedRow>
        ))}
      </Rows>
      {deleting && (
        <DeleteSaved saved={deleting} onDelete={() => remove(deleting)} onClose={() => setDeleting(undefined)}>
          {t("The funnel has to be built again to see its report. No events are deleted.")}
        </DeleteSaved>
      )}
    </Section>
  );
}
