"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import DeleteSaved from "@/components/reports/delete-saved";
import { RowButton } from "@/components/reports/row-button";
import { SavedRow } from "@/components/reports/saved-row";
import { Button, ButtonLink } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { GoalDialog } from "./goal-dialog";

export interface Goal {
  id: number;
  name: string;
  kind: "event" | "page";
  pattern: string;
  maker: string | null;
  /** URL of the dashboard filtered to visitors who reached it. */
  href: string;
}

interface Props {
  siteId: number;
  goals: Goal[];
  /** Whether the reader can change them. */
  manages: boolean;
}

/** Goals of a site. */
export function Goals({ siteId, goals, manages }: Props) {
  const [open, setOpen] = useState<{ goal: Goal | null } | { deleting: Goal }>();
  const router = useRouter();
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    router.refresh();
  };

  return (
    <Section
      title="Goals"
      about="What you want visitors to do: send an event or see a page."
      aside={
        manages && (
          <Button size="small" aria-haspopup="dialog" onClick={() => setOpen({ goal: null })}>
            New goal
          </Button>
        )
      }
    >
      {goals.length === 0 && (
        <p className="text-sm text-muted">
          No goals yet. With a goal you can filter by visitors who reached it, and see conversions of campaigns,
          searches and experiments.
        </p>
      )}
      <ul className="divide-y divide-line not-empty:-my-2.5">
        {goals.map((goal) => (
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
                <RowButton action="Edit" name={goal.name} onClick={() => setOpen({ goal })} />
                <RowButton action="Delete" name={goal.name} onClick={() => setOpen({ deleting: goal })} />
              </>
            )}
          </SavedRow>
        ))}
      </ul>
      {open && "goal" in open && <GoalDialog siteId={siteId} goal={open.goal} onDone={done} onCancel={close} />}
      {open && "deleting" in open && (
        <DeleteSaved siteId={siteId} kind="goals" saved={open.deleting} onDone={done} onCancel={close}>
          No events are deleted. Links that filter by this goal will look for an event of the same name.
        </DeleteSaved>
      )}
    </Section>
  );
}
