import type { ReactNode } from "react";
import { Actions } from "@/components/actions/actions";
import { AccountMenu } from "@/components/shell/account-menu";
import { CommandPalette } from "@/components/shell/command-palette";
import { Footer } from "@/components/shell/footer";
import { Header } from "@/components/shell/header";
import { LanguageChoice } from "@/components/shell/language-choice";
import { NeedsJavascript } from "@/components/shell/needs-javascript";
import { OwnerLanguageChoice } from "@/components/shell/owner-language";
import { OwnerNav } from "@/components/shell/owner-nav";
import { PageBoundary } from "@/components/shell/page-boundary";
import { PendingApprovals } from "@/components/shell/pending-approvals";
import { SiteSwitcher } from "@/components/shell/site-switcher";
import { MailServer } from "@/components/ui/mail-server";
import { PageLocale } from "@/components/ui/page-locale";
import { Toaster } from "@/components/ui/toaster";
import { countPending } from "@/lib/agents/approval-inbox";
import { deliversEmail } from "@/lib/email/mailer";
import { currentLocale } from "@/lib/platform/locale";
import { pageSession } from "../page-session";
import { firstSitesOf, signedInOwnerOrNull } from "./access";
import { SETTINGS_ROLES } from "./settings-roles";
import { linkOf } from "./sites/find/link";

/** Rendered per request, because scripts of a prerendered page have no nonce. */
export const dynamic = "force-dynamic";

export default async function OwnerLayout({ children }: { children: ReactNode }) {
  // No redirect to sign-in here: each page does that with its own return path.
  const owner = await signedInOwnerOrNull();
  const [{ sites, total }, pending] = owner
    ? await Promise.all([firstSitesOf(owner), countPending(owner.personId, new Date())])
    : [{ sites: [], total: 0 }, 0];
  const links = sites.map(linkOf);
  return (
    <PageLocale locale={currentLocale()}>
      <Toaster>
        <Actions session={pageSession(owner)}>
          <Header
            home="/sites"
            narrow
            start={<SiteSwitcher sites={links} total={total} />}
            end={
              owner && (
                <PendingApprovals first={pending}>
                  <CommandPalette
                    sites={links}
                    total={total}
                    settings={SETTINGS_ROLES}
                    runsService={owner.administrator}
                  />
                  <OwnerNav />
                  <AccountMenu email={owner.email} runsService={owner.administrator} />
                </PendingApprovals>
              )
            }
          />
          {/* As high as the window, so that the footer is not seen moving while the page grows. */}
          <main id="content" className="mx-auto min-h-dvh w-full max-w-[82rem] px-4 pt-5 pb-16 sm:px-6">
            <NeedsJavascript />
            <MailServer configured={deliversEmail()}>
              <PageBoundary>{children}</PageBoundary>
            </MailServer>
          </main>
          <Footer choice={owner ? <OwnerLanguageChoice /> : <LanguageChoice />} />
        </Actions>
      </Toaster>
    </PageLocale>
  );
}
