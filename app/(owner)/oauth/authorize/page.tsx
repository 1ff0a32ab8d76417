import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AgentName } from "@/components/agents/agent-name";
import { Message } from "@/components/shell/message";
import { ButtonLink } from "@/components/ui/button-link";
import { rich } from "@/components/ui/rich";
import { requireConfirmed } from "@/lib/auth/confirmation";
import type { Owner } from "@/lib/contract/define";
import type { RefusedRequest } from "@/lib/oauth/authorization-request";
import { openAuthorization } from "@/lib/oauth/authorize";
import { describeRedirect } from "@/lib/oauth/redirect-uris";
import { OPERATIONS } from "@/lib/operations/index";
import { Refusal } from "@/lib/platform/errors";
import { t } from "@/lib/texts/translate";
import { signedInOwner } from "../../access";
import { Authorize } from "./authorize";

export const generateMetadata = (): Metadata => ({ title: t("Connect an agent") });

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The authorization endpoint (RFC 6749 section 3.1): an assistant sends people here to ask for access. */
export default async function AuthorizePage({ searchParams }: Props) {
  const owner = await signedInOwner();
  const now = new Date();
  const opened = await open(queryOf(await searchParams), owner, now);
  if (opened instanceof Refusal) return <Unanswerable message={opened.message} />;
  if ("question" in opened) {
    return (
      <div className="mx-auto max-w-xl py-2 sm:py-8">
        <Authorize question={opened.question} now={now} />
      </div>
    );
  }
  if (opened.isAutomatic) redirect(opened.redirectTo);
  return <RefusedConsent {...opened} />;
}

async function open(query: URLSearchParams, owner: Owner, now: Date) {
  try {
    requireConfirmed(owner);
    return await openAuthorization(query, owner, [...OPERATIONS.values()], now);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The query as it was sent, with repeated parameters. */
const queryOf = (parameters: Record<string, string | string[] | undefined>): URLSearchParams =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  );

const Unanswerable = ({ message }: { message: string }) => (
  <Message title={t("This request cannot be answered")}>
    <p>{message}</p>
    <ButtonLink href="/agents">{t("Your agents")}</ButtonLink>
  </Message>
);

const RefusedConsent = ({ assistant, refusal, redirectUri, redirectTo }: RefusedRequest) => (
  <Message title={t("The agent's request is not valid")}>
    <p>
      {rich("{agent} got no access. {reason}", {
        agent: <AgentName name={assistant.name} />,
        reason: refusal.description,
      })}
    </p>
    <p>
      <a href={redirectTo} className="break-all text-accent underline">
        {t("Go back to {app}", { app: describeRedirect(redirectUri) })}
      </a>
    </p>
  </Message>
);
