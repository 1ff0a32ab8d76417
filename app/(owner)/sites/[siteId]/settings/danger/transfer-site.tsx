"use client";

import { type FormEvent, useState } from "react";
import { useAction } from "@/components/actions/actions";
import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { rich } from "@/components/ui/rich";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { TextLink } from "@/components/ui/text-link";
import { msg, t } from "@/lib/texts/translate";

interface Props {
  site: { siteId: number; domain: string };
  /** All other members of the site. */
  members: { personId: number; label: string }[];
}

const ABOUT = msg("Another member becomes the owner. You become a manager.");

export function TransferSite({ site, members }: Props) {
  const [newOwner, setNewOwner] = useState<{ personId: number; label: string }>();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const chosen = Number(new FormData(event.currentTarget).get("newOwner"));
    setNewOwner(members.find(({ personId }) => personId === chosen));
  }

  return (
    <Section title={t("Transfer the site")} about={t(ABOUT)}>
      {members.length === 0 ? (
        <p className="text-sm text-muted">
          {rich("The site has no other members. <link>Invite someone</link> first.", {
            link: (text) => <TextLink href={`/sites/${site.siteId}/settings/people`}>{text}</TextLink>,
          })}
        </p>
      ) : (
        <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-56">
            <Select
              label={t("New owner")}
              name="newOwner"
              choices={members.map(({ personId, label }) => ({ value: `${personId}`, label }))}
            />
          </div>
          <Button type="submit" look="danger">
            {t("Transfer")}
          </Button>
        </form>
      )}
      {newOwner && <ConfirmTransfer site={site} newOwner={newOwner} onCancel={() => setNewOwner(undefined)} />}
    </Section>
  );
}

interface ConfirmTransferProps {
  site: Props["site"];
  newOwner: Props["members"][number];
  onCancel(): void;
}

function ConfirmTransfer({ site, newOwner, onCancel }: ConfirmTransferProps) {
  const { perform, busy, problems } = useAction("sites.ownership.transfer");

  async function go() {
    if (await perform({ site_id: site.siteId, new_owner_id: newOwner.personId })) {
      window.location.assign(`/sites/${site.siteId}/settings/people`);
    }
  }

  return (
    <Confirm
      title={t("Transfer {domain}?", { domain: site.domain })}
      action={t("Transfer")}
      busy={busy}
      problem={problems.message}
      onYes={go}
      onCancel={onCancel}
    >
      <p className="break-words">
        {t("{person} becomes the owner. You become a manager and cannot undo this.", { person: newOwner.label })}
      </p>
    </Confirm>
  );
}
