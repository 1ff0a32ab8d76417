"use client";

import { createContext, type ReactNode, use } from "react";
import { Notice } from "@/components/ui/notice";
import { rich } from "@/components/ui/rich";

const MailServerContext = createContext(true);

/** Tells its children whether a mail server is configured, so that no text promises an email that nobody gets. */
export const MailServer = ({ configured, children }: { configured: boolean; children: ReactNode }) => (
  <MailServerContext value={configured}>{children}</MailServerContext>
);

/** Returns whether emails reach people. */
export const useSendsEmail = (): boolean => use(MailServerContext);

/** Says that `what` is not sent, while no mail server is configured. */
export const UnsentNotice = ({ what }: { what: string }) =>
  useSendsEmail() ? null : (
    <Notice tone="warn">
      {rich(
        "{what} not sent, because this service has no mail server. Its operator finds them in the folder <code>outbox</code> of <code>DATA_DIR</code>, and can set <code>SMTP_URL</code> to have them sent.",
        { what, code: (text) => <code className="font-mono">{text}</code> },
      )}
    </Notice>
  );
