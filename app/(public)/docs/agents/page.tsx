import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { Glossary } from "@/components/docs/parameters";
import { DocsPage, InlineText, Part, Term } from "@/components/docs/prose";
import { RISKS, ROLES, SCOPES } from "@/lib/contract/vocabulary";
import { OPERATIONS } from "@/lib/operations/index";
import { APPROVAL_RATES, DOMAINS_PER_SITE, RATES, SITES_PER_ACCOUNT } from "@/lib/platform/limits";
import { curlOf } from "@/lib/publish/reference";
import { type Step, walkthrough } from "@/lib/publish/walkthrough";

export const metadata: Metadata = { title: "Agents" };

const APPROVAL = `HTTP/1.1 409 Conflict
Retry-After: 5

{"error":{"code":"approval_required","message":"…","details":{"reason":"no_approval","approval":{
  "id":"apr_…","binding_code":"KXQ-417","approval_url":"…","expires_at":"…", … }}},"request_id":"…"}`;

const curlNamed = (id: string) => {
  const op = OPERATIONS.get(id);
  return op ? curlOf(op, PLACEHOLDER_ORIGIN) : "";
};

export default function AgentsDocs() {
  const { read, write } = RATES;
  const risks = Object.entries(RISKS).map(([risk, { about, needsApproval }]): [string, string] => [
    risk,
    `${about}${needsApproval ? "; a human is asked" : ""}`,
  ]);
  return (
    <DocsPage
      title="Agents"
      lead="Software may do what its human allows: read reports, look after sites, and ask before anything risky."
    >
      <p className="max-w-[42rem]">
        Give your agent{" "}
        <a href="/llms.txt" className="font-medium text-accent underline underline-offset-2">
          llms.txt
        </a>
        ; it can do everything from that. The same way for people who write agents, in blocks that work as pasted:
      </p>
      {walkthrough(PLACEHOLDER_ORIGIN).map(({ id, title, about, steps }) => (
        <Part key={id} id={id} title={title}>
          <p>
            <InlineText>{about}</InlineText>
          </p>
          <ol className="!max-w-none space-y-6 pt-2">
            {steps.map((step, index) => (
              <WalkStep key={step.id} step={step} number={index + 1} />
            ))}
          </ol>
        </Part>
      ))}
      <Part id="read" title="Read">
        <p>Every operation has a name and an address. Reading ones take GET:</p>
        <Code text={curlNamed("sites.list")} what="the call" />
      </Part>
      <Part id="write" title="Write, exactly once">
        <p>
          All others take POST and an <Term>Idempotency-Key</Term>: new for each act, the same when the act is repeated
          because no answer came. It then happens once, and the repetition is answered with{" "}
          <Term>&quot;replayed&quot;: true</Term>, for 72 hours.
        </p>
        <Code text={curlNamed("sites.create")} what="the call" />
      </Part>
      <Part id="approvals" title="Approvals">
        <p>Risky operations are answered 409 until a human has agreed to exactly that call:</p>
        <Code text={APPROVAL} what="the answer" copy={false} />
        <ol className="list-decimal space-y-1 pl-5">
          <li>
            The agent shows <Term>approval_url</Term> and <Term>binding_code</Term> to its human.
          </li>
          <li>The human compares the code, sees what would change, and decides.</li>
          <li>
            The agent repeats the same call with the same key and the header <Term>X-Agent-Approval-ID</Term>.
          </li>
        </ol>
        <p>An approval is good for one call. Another body, or a site that was changed meanwhile, needs a new one.</p>
      </Part>
      <Part id="trust" title="What it may do">
        <p>
          A token is valid for at most 15 minutes. On every call its scopes, the sites granted to it, and the role of
          the human behind it are read anew: whoever loses a role takes it from their agents at once.
        </p>
        <Glossary rows={Object.entries(SCOPES)} />
        <Glossary rows={Object.entries(ROLES).map(([role, { about }]) => [role, about])} />
        <Glossary rows={risks} />
      </Part>
      <Part id="limits" title="Rate limits">
        <p>
          By default {read.limit} read calls in {read.seconds} seconds and {write.limit} write calls in {write.seconds},
          per client; <Term>llms.txt</Term> states the limits of this server. Reports also have a budget of{" "}
          <a href="/docs/metrics#reading" className="font-medium text-accent underline underline-offset-2">
            report time
          </a>
          . Beyond: 429 with <Term>Retry-After</Term>. All errors are in the{" "}
          <a href="/docs/api#errors" className="font-medium text-accent underline underline-offset-2">
            API reference
          </a>
          .
        </p>
        <p>
          {APPROVAL_RATES.requests.limit} new approval requests an hour, per client; beyond: 429. People get at most{" "}
          {APPROVAL_RATES.emailsToPerson.limit} emails an hour about them, and every request is in their inbox.
        </p>
        <p>
          By default an account owns at most {SITES_PER_ACCOUNT} sites, and a site has at most {DOMAINS_PER_SITE}{" "}
          domains; beyond: 422. The limits of this server and what is used are in <Term>limits</Term> of{" "}
          <Term>account.capabilities</Term>.
        </p>
      </Part>
      <Part id="transfer" title="Transfer a site">
        <p>
          <Term>sites.ownership.transfer</Term> takes the id of a member. With the scopes <Term>sites:read</Term> and{" "}
          <Term>teams:write</Term>, and a human who owns the site, <Term>members</Term> of{" "}
          <Term>sites.settings.get</Term> lists them:
        </p>
        <Code text={curlNamed("sites.settings.get")} what="the call that lists members" />
        <p>
          Take the <Term>person_id</Term> of who becomes the owner. The call waits for approval, and is then repeated:
        </p>
        <Code text={curlNamed("sites.ownership.transfer")} what="the call that transfers" />
      </Part>
    </DocsPage>
  );
}

function WalkStep({ step: { id, title, about, code }, number }: { step: Step; number: number }) {
  return (
    <li id={id} className="scroll-mt-6 space-y-2">
      <h3 className="font-semibold">
        {number}. {title}
      </h3>
      <p className="max-w-[42rem]">
        <InlineText>{about}</InlineText>
      </p>
      <Code text={code} what={`the block to ${title.toLowerCase()}`} />
    </li>
  );
}
