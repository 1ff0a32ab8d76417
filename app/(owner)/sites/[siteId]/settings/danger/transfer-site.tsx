"use client";

import Link from "next/link";
import { type FormEvent, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";

interface Props {
  site: { siteId: number; domain: string };
  /** Everyone of the site but whoever looks. */
  members: { personId: number; label: string }[];
}

const ABOUT = "Another member becomes the owner, and you a manager.";

export function TransferSite({ site, members }: Props) {
  const [heir, setHeir] = useState<{ personId: number; label: string }>();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const chosen = Number(new FormData(event.currentTarget).get("heir"));
    setHeir(members.find(({ personId }) => personId === chosen));
  }

  return (
    <Section title="Hand the site over" about={ABOUT}>
      {members.length === 0 ? (
        <p className="text-sm text-muted">
          Nobody else belongs to the site.{" "}
          <Link href={`/sites/${site.siteId}/settings/people`} prefetch={false} className="text-accent underline">
            Invite someone
          </Link>{" "}
          first.
        </p>
      ) : (
        <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-56">
            <Select
              label="New owner"
              name="heir"
              choices={members.map(({ personId, label }) => ({ value: `${personId}`, label }))}
            />
          </div>
          <Button type="submit" look="danger">
            Hand over
          </Button>
        </form>
      )}
      {heir && <ConfirmTransfer site={site} heir={heir} onNo={() => setHeir(undefined)} />}
    </Section>
  );
}

interface HandingProps {
  site: Props["site"];
  heir: Props["members"][number];
  onNo(): void;
}

function ConfirmTransfer({ site, heir, onNo }: HandingProps) {
  const { perform, busy, problems } = useAction("sites.ownership.transfer");

  async function go() {
    if (await perform({ site_id: site.siteId, new_owner_id: heir.personId })) {
      window.location.assign(`/sites/${site.siteId}/settings/people`);
    }
  }

  return (
    <Confirm
      title={`Hand ${site.domain} over?`}
      action="Hand over"
      busy={busy}
      problem={problems.message ?? problems.fields.new_owner_id}
      onYes={go}
      onNo={onNo}
    >
      <p className="break-words">{heir.label} becomes the owner. You become a manager and cannot take it back.</p>
    </Confirm>
  );
}
