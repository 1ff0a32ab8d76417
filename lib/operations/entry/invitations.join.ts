import { z } from "zod";
import { joinByInvitation } from "@/lib/account/join";
import { emailAddress } from "@/lib/auth/email";
import { newPassword } from "@/lib/auth/password";
import { defineEntryOperation } from "@/lib/contract/define";

export default defineEntryOperation({
  id: "invitations.join",
  input: z.strictObject({
    invitation: z.string("must be the token of an invitation link").max(64, "must have at most 64 characters"),
    email: emailAddress,
    password: newPassword,
  }),

  async run({ input, now }) {
    await joinByInvitation(input.invitation, input, now);
    return { data: {}, knownFor: input.email };
  },
});
