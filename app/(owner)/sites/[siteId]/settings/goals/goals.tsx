"use client";

import { useState } from "react";
import { useSavedList } from "@/components/actions/saved-list";
import DeleteSaved from "@/components/reports/delete-saved";
import { SavedRow } from "@/components/reports/saved-row";
import { Button } from "@/components/ui/button";
import { RowButton, RowLink } from "@/components/ui/row-button";
import { Rows } from "@/components/ui/rows";
import { Section } from "@/components/ui/section";
import { legiblePath } from "@/lib/platform/legible";
import { GoalDialog, type GoalDraft } from "./goal-dialog";

export interface Goal {
  id: number;
  name: string;
  kind: "event" | "page";
  pattern: string;
  maker: string | null;
  /** URL of the dashboard filtered to visitors who reached it. */
  href: string;
}

const NEW_GOAL: GoalDraft = { id: null, name: "", kind: "event", pattern: "" };

interface Props {
  siteId: number;
  goals: Goal[];
  /** Whether the reader can change them. */
  manages: boolean;
}

/** Goals of a site. */
export function Goals({ siteId, goals, manages }: Props) {
  const { shown, editing, open, remove } = useSavedList({
    siteId,
    kind: "goals",
    rows: goals,
    fields: ["name", "reached_by.pattern"],
    inputOf: ({ id, name, kind, pattern }: GoalDraft) => ({
      site_id: siteId,
      id,
      name,
      reached_by: { kind, pattern },
    }),
  });
  const [deleting, setDeleting] = useState<Goal>();

  return (
    <Section
      title="Goals"
      about="What you want visitors to do: send an event or see a page."
      aside={
        manages && (
          <Button size="small" aria-haspopup="dialog" onClick={() => open(NEW_GOAL)}>
            New goal
          </Button>
        )
      }
    >
      <Rows empty="No goals yet. With a goal you can filter by visitors who reached it, and see conversions of campaigns, searches and experiments.">
        {shown.map((goal) => (
          <SavedRow
            key={goal.id}
            name={goal.name}
            about={
              <>
                {goal.kind === "page" ? "Page" : "Event"}{" "}
                <bdi className="font-mono break-all">{legiblePath(goal.pattern)}</bdi>
              </>
            }
            maker={goal.maker}
          >
            <RowLink action="Show" name={`visitors who reached ${goal.name}`} href={goal.href} />
            {manages && (
              <>
                <RowButton action="Edit" name={goal.name} onClick={() => open(goal)} />
                <RowButton action="Delete" name={goal.name} onClick={() => setDeleting(goal)} />
              </>
            )}
          </SavedRow>
        ))}
      </Rows>
      {editing && <GoalDialog siteId={siteId} {...editing} />}
      {deleting && (
        <DeleteSaved saved={deleting} onDelete={() => remove(deleting)} onClose={() => setDeleting(undefined)}>
          No events are deleted. Links that filter by this goal will look for an event of the same name.
        </DeleteSaved>
      )}
    </Section>
  );
}
