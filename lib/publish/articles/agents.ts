import { RISKS, ROLES, SCOPES } from "@/lib/contract/access";
import { ACCESS_TOKEN_SECONDS } from "@/lib/oauth/tokens";
import { OPERATIONS } from "@/lib/operations/index";
import { APPROVAL_RATES, DOMAINS_PER_SITE, PENDING_APPROVALS, RATES, SITES_PER_ACCOUNT } from "@/lib/platform/limits";
import { APPROVAL_STEPS, CALLING, IDEMPOTENCY } from "@/lib/publish/articles/api";
import { type Article, code, heading, part, shown, steps, terms, text } from "@/lib/publish/articles/article";
import { KEY_WITHOUT_HUMAN } from "@/lib/publish/event-facts";
import { ACTIONS } from "@/lib/publish/groups";
import { curlOf } from "@/lib/publish/reference";
import { walkthrough } from "@/lib/publish/walkthrough";

/** How many calls a client may make. The running service may differ from the defaults. */
export type Rates = Record<keyof typeof RATES, { limit: number; seconds: number }>;

const APPROVAL = `HTTP/1.1 409 Conflict
Retry-After: 5

{"error":{"code":"approval_required","message":"…","details":{"reason":"no_approval","approval":{
  "id":"apr_…","binding_code":"KXQ-417","approval_url":"…","expires_at":"…", … }}},"request_id":"…"}`;

const SCOPE_ROWS: [string, string][] = Object.entries(SCOPES);
const ROLE_ROWS: [string, string][] = Object.entries(ROLES).map(([role, { about }]) => [role, about]);
const RISK_ROWS: [string, string][] = Object.entries(RISKS).map(([risk, { about, method, needsApproval }]) => [
  risk,
  `${about} (${method}${needsApproval ? ", needs approval" : ""})`,
]);

const rateLimits = ({ read, write }: Rates): string =>
  `One client may make ${read.limit} read calls in ${read.seconds} seconds and ${write.limit} write calls in ${write.seconds} seconds. Beyond that the answer is 429 with \`Retry-After\` in whole seconds; refused calls count too. One client may make ${APPROVAL_RATES.requests.limit} new approval requests an hour; repeating a call that waits for its approval does not count. At most ${PENDING_APPROVALS.limit} may wait at once, ${PENDING_APPROVALS.per_operation_and_site} for one operation and site; \`Retry-After\` is the time until the first expires, and \`approvals.withdraw\` makes room. Reports also have a budget of [report time](/docs/metrics#reading).`;

const curlNamed = (id: string, base: string) => {
  const op = OPERATIONS.get(id);
  return op ? curlOf(op, base) : "";
};

/** @param rates the limits of this server; pages that are made at build state the defaults. */
export const agentsArticle = (base: string, rates: Rates = RATES): Article => ({
  slug: "agents",
  title: "Agents",
  lead: "Agents do what a human allows: they read reports, manage sites, and ask before risky changes.",
  index: "from registration or device code to an approved change, as shell commands; scopes, roles, rate limits",
  forAgents: true,
  parts: [
    part(
      "start",
      "Start",
      text(
        "Give your agent [llms.txt](/llms.txt): an index of this documentation as Markdown. [llms-full.txt](/llms-full.txt) has what most agents need in one text. For people who write agents, the steps follow here as commands that work as pasted.",
      ),
    ),
    ...walkthrough(base).map(({ id, title, about, steps: all }) =>
      part(
        id,
        title,
        text(about),
        ...all.flatMap((step, index) => [
          heading(`${index + 1}. ${step.title}`),
          text(step.about),
          code(`the block to ${step.title.toLowerCase()}`, step.code),
        ]),
      ),
    ),
    part(
      "script",
      "Authenticate a script",
      text(
        "A script or cron job of a person needs no client and no code. Make a [personal token](/docs/identity#scripts) at `/account`, keep it with the other secrets of the script, and send it as the bearer token of each call, in the header and never in a URL. Risky calls wait for an approval as those of agents do; a script gets its id and address in `details.approval`.",
      ),
      code(
        "the call of a script",
        `curl -sS "${base}${ACTIONS}/sites.list" \\\n  -H "Authorization: Bearer $FOOTFALL_TOKEN"`,
      ),
    ),
    part("read", "Read", text(CALLING(base)), code("the call", curlNamed("sites.list", base))),
    part("write", "Write exactly once", text(IDEMPOTENCY), code("the call", curlNamed("sites.create", base))),
    part(
      "approvals",
      "Approvals",
      text("Risky operations are answered 409 until a human has approved exactly that call:"),
      shown("the answer", APPROVAL, "http"),
      steps(...APPROVAL_STEPS),
      text(
        "An approval is valid for one call. Another body needs a new one, and so does a site that has changed. The [API reference](/docs/api#approvals) lists the reasons.",
      ),
    ),
    part("key", "An ingest key without a human", text(KEY_WITHOUT_HUMAN)),
    part(
      "trust",
      "Permissions",
      text(
        `An access token is valid for ${ACCESS_TOKEN_SECONDS / 60} minutes. Every call checks its scopes, the granted sites, and the current role of the human behind it: when a person loses a role, their agents lose it at the same moment.`,
      ),
      terms(SCOPE_ROWS),
      terms(ROLE_ROWS),
      terms(RISK_ROWS),
    ),
    part(
      "limits",
      "Rate limits",
      text(rateLimits(rates)),
      text(
        `By default an account owns at most ${SITES_PER_ACCOUNT} sites, and a site has at most ${DOMAINS_PER_SITE} domains; beyond that the answer is 422. \`limits\` of \`account.capabilities\` returns the limits of this server and what is used. [Identity and OAuth](/docs/identity#limits) lists the lifetimes and limits of tokens. People get at most ${APPROVAL_RATES.emailsToPerson.limit} emails an hour about approval requests; all requests are in their inbox.`,
      ),
    ),
    part(
      "transfer",
      "Transfer a site",
      text(
        "`sites.ownership.transfer` takes the id of a member. `sites.members.list` returns the members, with the scope `members:read`:",
      ),
      code("the call that lists members", curlNamed("sites.members.list", base)),
      text("Use the `person_id` of the new owner. The call needs approval, then repeat it:"),
      code("the call that transfers", curlNamed("sites.ownership.transfer", base)),
    ),
  ],
});
