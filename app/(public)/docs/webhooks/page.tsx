import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { Glossary } from "@/components/docs/parameters";
import { DocsPage, Part, Term } from "@/components/docs/prose";
import { CAUSES } from "@/lib/monitoring/causes";
import { MESSAGE, VERIFIERS } from "@/lib/publish/webhooks";

export const metadata: Metadata = { title: "Webhooks" };

const HEADERS: [string, string][] = [
  ["webhook-id", "The message. It is the same at every try: keep it for a day, and take a message once."],
  ["webhook-timestamp", "When this try was made, in Unix seconds. Refuse what is older than five minutes."],
  [
    "webhook-signature",
    "`v1,` and the base64 of an HMAC-SHA256 of id, point, timestamp, point and the raw body. For a day after the secret was renewed two stand here, with a space between.",
  ],
];

const TYPES: [string, string][] = [
  ["incident.started", "Something is wrong from now on. `ended_at` is null."],
  ["incident.ended", "The same incident is over: the same `incident_id`, and `ended_at` says since when."],
  [
    "test",
    "Somebody pressed “Send a test”, or an agent called `sites.webhooks.send_test`. `data` holds `site_id` and `domain` alone.",
  ],
];

const FIELDS: [string, string][] = [
  ["type, timestamp", "What the message tells, and when it was written."],
  ["site_id, domain", "The site."],
  ["incident_id", "A number that beginning and end share."],
  ["cause", "One of the causes below."],
  ["seen", "What was seen when it began, in a sentence for people. Do not parse it."],
  ["started_at, ended_at", "Moments in UTC; `ended_at` is null while it goes on."],
  ["url", "The page on which more of it is seen, after signing in."],
];

const causes = Object.entries(CAUSES).map(([cause, { started, ended }]): [string, string] => [
  cause,
  `Started: ${started}. Ended: ${ended}.`,
]);

export default function WebhooksDocs() {
  return (
    <DocsPage
      title="Webhooks"
      lead="What goes wrong on a site, posted to a server of yours the moment it begins and when it is over."
    >
      <Part id="set" title="Set one up">
        <p>
          Settings, Monitoring, Webhook, or <Term>sites.webhooks.set</Term> by an agent: an https address on port 443
          that anyone can reach. A secret is made and shown once; it begins with <Term>whsec_</Term>. &ldquo;Send a
          test&rdquo; posts a message and tells what was answered. Messages are signed as{" "}
          <a href="https://www.standardwebhooks.com" className="text-accent underline">
            Standard Webhooks
          </a>{" "}
          says, so its libraries verify them as they are.
        </p>
      </Part>
      <Part id="message" title="The message">
        <Code text={MESSAGE(PLACEHOLDER_ORIGIN)} what="the message" copy={false} />
        <p>
          The body is one line; here it is drawn out to be read. Fields may be added, so ignore what you do not know.
        </p>
        <Glossary rows={TYPES} />
        <Glossary rows={FIELDS} />
        <p>Causes, and what is said of the site when each begins and ends:</p>
        <Glossary rows={causes} />
      </Part>
      <Part id="verify" title="Check the signature">
        <p>
          Anyone can post to your address. Believe only what is signed with your secret, over the body exactly as it
          arrived: JSON that was parsed and written again has other bytes.
        </p>
        <Glossary rows={HEADERS} />
        {Object.entries(VERIFIERS).map(([language, code]) => (
          <div key={language} className="space-y-2">
            <h3 className="font-semibold">{language}</h3>
            <Code text={code} what={`the check in ${language}`} />
          </div>
        ))}
      </Part>
      <Part id="retries" title="Answers and retries">
        <p>
          Answer with any 2xx within ten seconds, and do the work afterwards. Anything else, a redirect too, is tried
          again after 1, 2, 4, 8, 16, 32, 64 and 128 minutes and then every four hours, until the message is a day old.
          410 ends a message at once. The page about monitoring shows the latest five messages, what was answered, and
          when each is tried next.
        </p>
        <p>
          A message may arrive twice, when your answer was lost, and a later one may arrive before an earlier one that
          is tried again. Go by <Term>webhook-id</Term>, <Term>incident_id</Term> and <Term>ended_at</Term>, not by the
          order. Of one cause at most three incidents a day are told; all of them stand on the page.
        </p>
      </Part>
    </DocsPage>
  );
}
