import { CopyLine } from "@/components/ui/copy-line";
import { Notice } from "@/components/ui/notice";
import { t } from "@/lib/texts/translate";

/** The link of a new invitation, for the inviter to pass on when no mail server sends it. */
export const InvitationLink = ({ email, link }: { email: string; link: string | null }) =>
  link !== null && (
    <div className="space-y-3">
      <Notice tone="warn">
        {t(
          "This service has no mail server, so {email} gets no email. Send them this link yourself, and nobody else: whoever has it can join as {email}. It is shown only now.",
          { email },
        )}
      </Notice>
      <CopyLine label={t("Invitation of {email}", { email })} text={link} what={t("the invitation link")} />
    </div>
  );
