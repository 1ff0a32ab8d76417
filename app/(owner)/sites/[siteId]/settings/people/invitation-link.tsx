import { CopyLine } from "@/components/ui/copy-line";
import { Notice } from "@/components/ui/notice";

/** The link of a new invitation, for the inviter to pass on when no mail server sends it. */
export const InvitationLink = ({ email, link }: { email: string; link: string | null }) =>
  link !== null && (
    <div className="space-y-3">
      <Notice tone="warn">
        This service has no mail server, so {email} gets no email. Send them this link yourself, and nobody else:
        whoever has it can join as {email}. It is shown only now.
      </Notice>
      <CopyLine label={`Invitation of ${email}`} text={link} what="the invitation link" />
    </div>
  );
