-- Without a mail server the inviter sees the link of an invitation, so that it does not prove who reads the email address.
ALTER TABLE "invitation" ADD COLUMN "link_shown" BOOLEAN NOT NULL DEFAULT false;
