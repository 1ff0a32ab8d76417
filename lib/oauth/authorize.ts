import { lockSession } from "@/lib/auth/session-row";
import { SCOPES, type Scope } from "@/lib/contract/access";
import type { AnyOperation, Owner } from "@/lib/contract/define";
import { hostOfAssistant } from "@/lib/oauth/assistants";
import {
  type AuthorizationRequest,
  answerAt,
  type RefusedRequest,
  readAuthorizationRequest,
} from "@/lib/oauth/authorization-request";
import type { Assistant } from "@/lib/oauth/client-metadata";
import {
  type Choice,
  type ConsentRequest,
  type DecidedBy,
  describeConsent,
  grantConsent,
  noteDenial,
  type Question,
} from "@/lib/oauth/consent";
import { describeRedirect } from "@/lib/oauth/redirect-uris";
import { knownScopes } from "@/lib/oauth/request-parameters";
import type { Client } from "@/lib/oauth/tokens";
import { type Db, db } from "@/lib/platform/db";
import { invalidInput } from "@/lib/platform/errors";
import { AUTHORIZATION_CODE_SECONDS } from "@/lib/platform/limits";
import { lockRow } from "@/lib/platform/lock-row";
import type { Internet } from "@/lib/platform/outbound/outbound";
import { freshSecret, hashOf } from "@/lib/platform/secrets";

/**
 * Authorization requests of assistants. A request is not stored: its page holds it, and the decision reads it again.
 */

/**
 * Returns an authorization request as shown to the person, or why it is refused. What their connection of this assistant has
 * already is kept, and not asked again.
 *
 * @throws Refusal as `readAuthorizationRequest` does.
 */
export async function openAuthorization(
  query: URLSearchParams,
  owner: Owner,
  operations: readonly AnyOperation[],
  now: Date,
  internet?: Internet,
): Promise<{ question: ConsentRequest } | RefusedRequest> {
  const request = await readAuthorizationRequest(query, owner.personId, now, internet);
  if ("refusal" in request) return request;
  const { assistant, redirectUri } = request;
  const client = await connectionFor(db(), assistant, owner.personId);
  const question = {
    ...askedOf(request, client),
    id: `${query}`,
    client,
    shown: { client_id: assistant.id, name: assistant.name },
    askedFrom: null,
    askedAt: now,
    expiresAt: null,
    assistant: { host: hostOfAssistant(assistant.id), answers: describeRedirect(redirectUri) },
  };
  return { question: await describeConsent(question, owner, operations, now) };
}

/**
 * Records a person's decision on an authorization request. Approving connects the assistant to them, and issues a code that is
 * bound to the assistant, the redirect URI, the resource and the PKCE challenge.
 *
 * @returns where the browser takes the answer.
 * @throws Refusal as `readAuthorizationRequest` and `grantConsent` do.
 */
export async function decideAuthorization(
  given: Choice & { request: string },
  by: DecidedBy,
  now: Date,
  internet?: Internet,
): Promise<string> {
  const { personId } = by.owner;
  const request = await readAuthorizationRequest(new URLSearchParams(given.request), personId, now, internet);
  if ("refusal" in request) return request.redirectTo;
  const code = await db().$transaction(async (tx) => {
    // One connection of each assistant: decisions of one person run one after the other.
    await lockSession(tx, by.owner, now);
    const connection = await connectionFor(tx, request.assistant, personId);
    if (given.decision === "approve") return approve(tx, request, connection, given, by, now);
    await noteDenial(tx, { clientId: connection?.id ?? null, assistant: request.assistant.id }, by, now);
    return null;
  });
  const { redirectUri, state } = request;
  if (code !== null) return answerAt(redirectUri, state, { code });
  return answerAt(redirectUri, state, { error: "access_denied", error_description: "The person denied the request." });
}

async function approve(
  tx: Db,
  request: AuthorizationRequest,
  connection: Client | null,
  given: Choice,
  by: DecidedBy,
  now: Date,
): Promise<string> {
  await storeAssistant(tx, request.assistant);
  const { id } = connection ?? (await connect(tx, request, now));
  await lockRow(tx, "client", id);
  const client = await tx.client.update({ where: { id }, data: { name: request.assistant.name } });
  const granted = await grantConsent(tx, { client, ...askedOf(request, client) }, given, by, now);
  // Not what other apps of this person asked for by the same client_id, which anyone can send.
  const scopes = granted.filter((scope) => request.scopes.includes(scope) || given.scopes.includes(scope));
  if (scopes.length === 0)
    throw invalidInput([{ path: "scopes", message: "choose at least one, or deny the request" }]);
  const code = `ffz_${freshSecret()}`;
  await tx.authorizationCode.create({
    data: {
      hash: hashOf(code),
      clientId: client.id,
      personId: by.owner.personId,
      redirectUri: request.redirectUri,
      resource: request.resource,
      codeChallenge: request.codeChallenge,
      scopes,
      createdAt: now,
      expiresAt: new Date(now.getTime() + AUTHORIZATION_CODE_SECONDS * 1000),
    },
  });
  return code;
}

/** The client by which an assistant acts for a person; null without one. */
const connectionFor = (on: Db, { id }: Assistant, personId: number): Promise<Client | null> =>
  on.client.findFirst({
    where: { assistantId: id, ownerId: personId, revokedAt: null },
    orderBy: { createdAt: "asc" },
  });

/** The requested scopes that the connection does not have, those that it keeps, and those that it does not ask for. */
function askedOf(
  { scopes }: AuthorizationRequest,
  connection: Client | null,
): Pick<Question, "scopes" | "kept" | "more"> {
  const kept = knownScopes(connection?.grantedScopes ?? []);
  return {
    scopes: scopes.filter((scope) => !kept.includes(scope)),
    kept,
    more: (Object.keys(SCOPES) as Scope[]).filter((scope) => !scopes.includes(scope)),
  };
}

async function storeAssistant(tx: Db, assistant: Assistant): Promise<void> {
  const { id, name, jwksUri, mustSign, readAt } = assistant;
  const data = { name, jwksUri, mustSign, readAt, redirectUris: [...assistant.redirectUris] };
  await tx.assistant.upsert({ where: { id }, create: { id, createdAt: readAt, ...data }, update: data });
}

/** Makes the client by which an assistant will act for the person who approves. */
async function connect(tx: Db, { assistant, scopes }: AuthorizationRequest, now: Date): Promise<Client> {
  const { id, name } = assistant;
  return tx.client.create({
    data: {
      id: `ffc_${freshSecret().slice(0, 24)}`,
      kind: "delegated",
      name,
      // Nobody has this secret: assistants are public clients.
      secretHash: hashOf(freshSecret()),
      assistantId: id,
      requestedScopes: scopes,
      createdAt: now,
    },
  });
}
