import type { Endpoint } from "@/lib/contract/define";
import { PENDING_MS } from "@/lib/gateway/request-approval";
import { DEVICE_CODE_SECONDS, INTERVAL_SECONDS, SLOW_DOWN_SECONDS } from "@/lib/oauth/device";
import { ACCESS_TOKEN_SECONDS, FAMILY_MS, IDLE_MS } from "@/lib/oauth/tokens";
import { DAY_MS } from "@/lib/platform/durations";
import {
  APPROVAL_RATES,
  ASSISTANT_REGISTRATIONS,
  AUTHORIZATION_CODE_SECONDS,
  CHALLENGE_MINUTES,
  CHALLENGES_OF_A_DOMAIN,
  IDENTITY_RATES,
  LOOK_UPS_OF_A_DOMAIN,
  MAX_DEVICE_CODES,
  OAUTH_RATES,
  PERSONAL_TOKENS,
  PROOF_TRIES,
  TOKEN_DAYS,
  TOKEN_WARNING_DAYS,
  UNUSED_REGISTRATION_DAYS,
  WRONG_KEYS,
  WRONG_KEYS_OF_A_DOMAIN,
} from "@/lib/platform/limits";
import { type Article, type Block, fields, heading, part, shown, terms, text } from "@/lib/publish/articles/article";
import { ENDPOINTS } from "@/lib/publish/endpoints";
import { bodyParameters } from "@/lib/publish/reference";
import { MISSING_DAYS } from "@/lib/sites/contested-domains";

const days = (ms: number) => `${ms / DAY_MS} days`;
const period = (seconds: number) =>
  seconds === 60 ? "a minute" : seconds === 3600 ? "an hour" : `in ${seconds / 60} minutes`;
const rate = ({ limit, seconds }: { limit: number; seconds: number }, what = "") =>
  [limit, what, period(seconds)].filter((part) => part !== "").join(" ");

/** Lifetimes and limits of identities and tokens. */
const TOKEN_LIMITS: [string, string][] = [
  [
    "access token",
    `Valid for ${ACCESS_TOKEN_SECONDS / 60} minutes. Its scopes, sites and role are checked on every call.`,
  ],
  [
    "refresh token",
    `Works once. Expires after ${days(IDLE_MS)} without use, and ${days(FAMILY_MS)} after the consent at the latest; then the human must consent again. Machine clients have none.`,
  ],
  [
    "device code",
    `Valid for ${DEVICE_CODE_SECONDS / 60} minutes. Poll every ${INTERVAL_SECONDS} seconds; each \`slow_down\` adds ${SLOW_DOWN_SECONDS}. One client may request ${rate(OAUTH_RATES.deviceCodes)}, and have ${MAX_DEVICE_CODES} pending.`,
  ],
  [
    "authorization code",
    `Valid for ${AUTHORIZATION_CODE_SECONDS} seconds. Works once: a second use revokes the tokens that came of it.`,
  ],
  [
    "registration of an assistant",
    `${rate(ASSISTANT_REGISTRATIONS.address)} from one address. Deleted after ${UNUSED_REGISTRATION_DAYS} days unless a person has connected it.`,
  ],
  [
    "personal token",
    `Valid for 1 to ${TOKEN_DAYS.longest} days, ${TOKEN_DAYS.usual} by default. One person: ${PERSONAL_TOKENS.valid}.`,
  ],
  [
    "challenge",
    `Valid for ${CHALLENGE_MINUTES} minutes, ${PROOF_TRIES} look-ups of the proof and ${WRONG_KEYS} wrong recovery keys. At most ${rate(CHALLENGES_OF_A_DOMAIN)} for one domain from one address.`,
  ],
  [
    "identity endpoints",
    `From one address: ${Object.entries(IDENTITY_RATES)
      .map(([endpoint, limit]) => `${limit.limit} ${endpoint}`)
      .join(
        ", ",
      )} an hour. For one domain: ${rate(LOOK_UPS_OF_A_DOMAIN, "look-ups of the proof")} and ${rate(WRONG_KEYS_OF_A_DOMAIN, "wrong recovery keys")}.`,
  ],
  [
    "OAuth endpoints",
    `One client: ${rate(OAUTH_RATES.calls, "calls")} at each endpoint. Wrong secrets: ${rate(OAUTH_RATES.failures)} for one client from one address, ${rate(OAUTH_RATES.addressFailures)} from one address.`,
  ],
  [
    "approval",
    `A pending approval expires after ${PENDING_MS / 3600_000} hours. One client may request ${rate(APPROVAL_RATES.requests, "new ones")}.`,
  ],
];

const IDENTITY_RULES =
  'Identity endpoints take JSON without a token, and a header `Idempotency-Key` of 64 lowercase hexadecimal characters: 32 random bytes, new for each request and independent of the recovery key. Keep it as private as the answer: for 24 hours the same key and body return the same secrets again. Success is 201 `{"data", "request_id"}`; errors are those of operations.';
const OAUTH_RULES =
  'OAuth endpoints take forms (`application/x-www-form-urlencoded`) and answer JSON without an envelope. Errors are `{"error", "error_description"}`. Discovery: `/.well-known/oauth-authorization-server`. Send the client credentials in the form or by HTTP Basic. A parameter that occurs twice is refused. Delegated clients cannot use `client_credentials`; machine clients use the device grant only to ask their human for more.';

/** Whether scopes are final, and how each kind of client gets more. */
const GROWTH_RULES = [
  "Scopes and sites are not final. A call that lacks a scope answers `insufficient_scope` with `details.required_scope`, and says which of these ways is yours.",
  "A machine client whose human has taken over all of its sites requests a device code for any further scopes, or without `scope` for further sites. Its human sees the same consent page; what the client has is kept, and the request gives it nothing without them. Only this human can answer. Access tokens that are issued afterwards have what was allowed.",
  "A machine client without a human has nobody to ask. A recovery, with a fresh proof of the domain and the recovery key, takes other `scopes`. Once a person owns one of its sites, a recovery keeps the scopes or takes fewer.",
  "A delegated client requests another device code, for scopes that it was created with; the new consent replaces the old one. For other scopes create another client. Assistants ask again at `/oauth/authorize`.",
];

/** How scripts authenticate. */
const TOKEN_RULES = [
  `A person makes a personal token at \`/account\`: a name, scopes and sites as on the consent page, and when it expires. It begins with \`ff_pat_\` and is shown once; only its hash is stored. Making one needs a sign-in or a proof (password, passkey or provider) of the last ten minutes, and is confirmed by email; another email comes ${TOKEN_WARNING_DAYS} days before the token expires.`,
  "Send it as `Authorization: Bearer ff_pat_…` to the HTTP API. It has no refresh token and is no client of the OAuth endpoints. It does not work at `/mcp`, where each assistant asks its person by itself, and never in a URL.",
  "Everything else is as for agents: the person's current role on each site, approvals, limits and the log. A token ends when it expires, when its person revokes it, secures or deletes their account; it loses a site when its person does. No agent and no token makes a token.",
];

/** How assistants ask people for access in a browser. */
const ASSISTANT_RULES = [
  "Assistants without a secret, such as MCP clients, use the authorization code grant: `/.well-known/oauth-authorization-server` names `/oauth/authorize`, `/oauth/token` and `/oauth/register`. PKCE with `S256` is compulsory, `state` comes back unchanged, and each answer has `iss`.",
  "`client_id` is the https URL of a client id metadata document, or comes from `POST /oauth/register` (RFC 7591) with `redirect_uris`. A document has at most 16 KiB, answers within 5 seconds without a redirect, and names itself as `client_id`.",
  "The redirect URI must be exactly a registered one: https, the scheme of an app, or http on `localhost`, `127.0.0.1` or `[::1]`, where the port may differ.",
  "`resource` is the management API or `<base>/mcp`, which is the default. A token works only there. Without `scope` the request is for `sites:read analytics:read`; ask for more when a call answers `insufficient_scope`. A later request asks the person only for what is new, and its tokens have both.",
];

/** How people take over sites of machine accounts. */
const TAKEOVER_RULES = [
  "A machine account that registered alone has no human. Where one must approve, `interactive_url` is a page on which a signed-in human proves domains: the proof of a site's primary domain, and of each other domain that the site has verified, makes them the owner of this site. Approvals of the site then go to them.",
  "Sites of other domains stay without a human and keep answering `interactive_required`, until each domain is proven, by the same human or by others. With the account's recovery key, one proven domain hands over all sites that have no owner.",
  "Your client and its tokens go on working on all of your sites. Once one human owns all of them, the client acts for this human: `owner_id` is set, and new sites belong to them.",
];

/** When a domain moves to another site. */
const DOMAIN_RULES = [
  "A domain belongs to one site. A site that never verified it loses it to one that does.",
  `A verified domain stays with its site while the site's proof is published: its value in a TXT record, the file or the meta tag, or the value of its registration. Whoever proves the domain later gets \`domain_taken\`, and the other proof is looked for again. If it is missing, the owners of the site are told by email, and it is looked for several times a day. After ${MISSING_DAYS} days without it, the next fresh proof moves the domain; a proof that is found meanwhile ends the wait.`,
  "The former site keeps its past data under a name of the past, and counts no further events of the domain. The new site begins empty. Both are told by email and in their audit logs.",
];

/** Every endpoint of a tag. */
const endpointsOf = (tag: string): Endpoint[] => ENDPOINTS.filter((one) => one.tag === tag);

/** The OAuth errors of an endpoint. */
const oauthErrorsOf = ({ oauthErrors = {} }: Endpoint): string[] => [...new Set(Object.values(oauthErrors).flat())];

const endpointBlocks = (endpoint: Endpoint): Block[] => [
  heading(`${endpoint.method} ${endpoint.path}`),
  text(`${endpoint.title}. ${endpoint.about}`),
  fields(`Fields of ${endpoint.path}`, bodyParameters(endpoint)),
  ...Object.entries(endpoint.answers).flatMap(([status, { example }]) => [
    text(`The answer is ${status}:`),
    shown(
      "the answer",
      JSON.stringify(endpoint.enveloped ? { data: example, request_id: "7d1f0c52…" } : example, null, 2),
    ),
  ]),
  ...(endpoint.oauthErrors
    ? [
        text(
          `Errors: ${oauthErrorsOf(endpoint)
            .map((name) => `\`${name}\``)
            .join(", ")}.`,
        ),
      ]
    : []),
];

export const identityArticle = (base: string): Article => ({
  slug: "identity",
  title: "Identity and OAuth",
  lead: "How to create a client and get tokens, with all lifetimes and limits.",
  index: "endpoints for registration, recovery, delegation and tokens, with lifetimes and limits",
  forAgents: true,
  parts: [
    part(
      "resource",
      "Resource",
      text(
        `Every token request names one \`resource\`, exactly: \`${base}/api/v1/management\` for the HTTP API, or \`${base}/mcp\` for [assistants](/docs/connect). The token works there alone. [Agents](/docs/agents) has complete examples.`,
      ),
    ),
    part("limits", "Lifetimes and limits", terms(TOKEN_LIMITS)),
    part("assistants", "Assistants", ...ASSISTANT_RULES.map((rule) => text(rule))),
    part("scripts", "Personal tokens for scripts", ...TOKEN_RULES.map((rule) => text(rule))),
    part("more", "More scopes and sites", ...GROWTH_RULES.map((rule) => text(rule))),
    part("takeover", "A human for a machine account", ...TAKEOVER_RULES.map((rule) => text(rule))),
    part("domains", "Who has a domain", ...DOMAIN_RULES.map((rule) => text(rule))),
    part("identity", "Identity endpoints", text(IDENTITY_RULES), ...endpointsOf("Identity").flatMap(endpointBlocks)),
    part("oauth", "OAuth endpoints", text(OAUTH_RULES), ...endpointsOf("OAuth").flatMap(endpointBlocks)),
  ],
});
