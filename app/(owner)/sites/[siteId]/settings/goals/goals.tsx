"use client";

import { useState } from "react";
import { useSavedList } from "@/components/actions/saved-list";
import DeleteSaved from "@/components/reports/delete-saved";
import { RowButton } from "@/components/reports/row-button";
import { SavedRow } from "@/components/reports/saved-row";
import { Button, ButtonLink } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { GoalDialog, type GoalDraft } from "./goal-dialog";

export interface Goal {
  id: number;
  name: string;
  kind: "event" | "page";
  pattern: string;
  maker: string | null;
  /** The dashboard of those who reached it. */
  href: string;
}

const NEW_GOAL: GoalDraft = { id: null, name: "", kind: "event", pattern: "" };

interface Props {
  siteId: number;
  goals: Goal[];
  /** Whether whoever looks may change them. */
  manages: boolean;
}

/** What the site wants its visitors to do. */
export function Goals({ siteId, goals, manages }: Props) {
  const { shown, opened, busy, open, close, save, remove } = useSavedList({
    siteId,
    kind: "goals",
    rows: goals,
    inputOf: ({ id, name, kind, pattern }: GoalDraft) => ({
      ...{ site_id: siteId, id, name },
      reached_by: { kind, pattern },
    }),
  });
  const [deleting, setDeleting] = useState<Goal>();

  return (
    <Section
      title="Goals"
      about="What you want visitors to do: cause an event, or see a page."
      aside={
        manages && (
          <Button size="small" aria-haspopup="dialog" onClick={() => open(NEW_GOAL)}>
            New goal
          </Button>
        )
      }
    >
      {shown.length === 0 && (
        <p className="text-sm text-muted">
          No goals yet. With one you see who reached it: filter by it, convert to it in campaigns, searches and
          experiments.
        </p>
      )}
      <ul className="divide-y divide-line not-empty:-my-2.5">
        {shown.map((goal) => (
          <SavedRow
            key={goal.id}
            name={goal.name}
            about={
              <>
                {goal.kind === "page" ? "Page" : "Event"} <span className="font-mono break-all">{goal.pattern}</span>
              </>
            }
            maker={goal.maker}
          >
            <ButtonLink
              href={goal.href}
              prefetch={false}
              look="quiet"
              size="small"
              aria-label={`Show visitors who reached ${goal.name}`}
            >
              Show
            </ButtonLink>
            {manages && (
              <>
                <RowButton action="Edit" name={goal.name} onClick={() => open(goal)} />
                <RowButton action="Delete" name={goal.name} onClick={() => setDeleting(goal)} />
              </>
            )}
          </SavedRow>
        ))}
      </ul>
      {opened && <GoalDialog siteId={siteId} {...opened} busy={busy} onSave={save} onCancel={close} />}
      {deleting && (
        <DeleteSaved
          saved={deleting}
          onYes={() => {
            setDeleting(undefined);
            remove(deleting);
          }}
          onCancel={() => setDeleting(undefined)}
        >
          No event is lost. Links that filter by it will look for an event of this name.
        </DeleteSaved>
      )}
    </Section>
  );
}
