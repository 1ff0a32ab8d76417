import { CAUSES } from "@/lib/monitoring/causes";
import { type Article, code, heading, part, shown, terms, text } from "@/lib/publish/articles/article";
import { MESSAGE, VERIFIERS } from "@/lib/publish/webhooks";

const HEADERS: [string, string][] = [
  ["webhook-id", "The id of the message, the same for each attempt. Store it for a day to process each message once."],
  ["webhook-timestamp", "The time of this attempt in Unix seconds. Refuse messages older than five minutes."],
  [
    "webhook-signature",
    "`v1,` and the base64 HMAC-SHA256 over: id, full stop, timestamp, full stop, raw body. For a day after a rotation of the secret there are two signatures, separated by a space.",
  ],
];

const TYPES: [string, string][] = [
  ["incident.started", "An incident started. `ended_at` is null."],
  ["incident.ended", "The incident with this `incident_id` ended at `ended_at`."],
  [
    "alert.fired",
    "An alert rule was met. `data` has `rule_id`, `name`, `metric`, `goal`, `condition`, `threshold`, `value`, `seen`, `start` and `end` of the hour or day, and `url`.",
  ],
  ["alert.test", "The same as an example, sent with “Send a test” of a rule or `sites.alerts.send_test`."],
  [
    "test",
    "A test message, sent with “Send a test” or `sites.webhooks.send_test`. `data` has only `site_id` and `domain`.",
  ],
];

const FIELDS: [string, string][] = [
  ["type, timestamp", "The type of the message, and when it was written."],
  ["site_id, domain", "The site."],
  ["incident_id", "The same number for the start and the end of an incident."],
  ["cause", "One of the causes below."],
  ["seen", "What was observed when the incident started, as a sentence for people. Do not parse it."],
  ["started_at, ended_at", "Times in UTC; `ended_at` is null while the incident is open."],
  ["url", "The page with more details, after sign-in."],
];

const LANGUAGES: Readonly<Record<string, string>> = { "Node.js": "js", Python: "python" };

const causes = Object.entries(CAUSES).map(([cause, { started, ended }]): [string, string] => [
  cause,
  `Started: ${started}. Ended: ${ended}.`,
]);

export const webhooksArticle = (base: string): Article => ({
  slug: "webhooks",
  title: "Webhooks",
  lead: "Receive a message on your server when an incident of a site starts and when it ends, and when an alert rule is met.",
  index: "incidents and alerts of a site as signed webhooks, and how to verify them",
  parts: [
    part(
      "set",
      "Set up a webhook",
      text(
        "Use Settings, Monitoring, Webhook, or `sites.webhooks.set` as an agent. The URL must be https on port 443 and publicly reachable. The secret is shown once and begins with `whsec_`. “Send a test” sends a message and shows the answer. Messages are signed according to [Standard Webhooks](https://www.standardwebhooks.com), so its libraries can verify them.",
      ),
    ),
    part(
      "message",
      "The message",
      shown("the message", MESSAGE(base), "http"),
      text("The real body is one line. Ignore fields that you do not know: later releases may add some."),
      terms(TYPES),
      terms(FIELDS),
      text("The causes, and how the site describes their start and end:"),
      terms(causes),
    ),
    part(
      "verify",
      "Verify the signature",
      text(
        "Anyone can send requests to your URL. Accept only messages that are signed with your secret, over the body exactly as it arrived: JSON that was parsed and written again has different bytes.",
      ),
      terms(HEADERS),
      ...Object.entries(VERIFIERS).flatMap(([language, verifier]) => [
        heading(language),
        code(`the check in ${language}`, verifier, LANGUAGES[language]),
      ]),
    ),
    part(
      "retries",
      "Answers and retries",
      text(
        "Answer with any 2xx within ten seconds and do the work afterwards. After any other answer, including a redirect, the message is sent again after 1, 2, 4, 8, 16, 32, 64 and 128 minutes, then every four hours until it is a day old. 410 stops a message at once. The monitoring page shows the latest five messages, their answers and the next attempts.",
      ),
      text(
        "A message can arrive twice if your answer was lost, and a later message can arrive before a repeated earlier one. Use `webhook-id`, `incident_id` and `ended_at`, not the order. At most three incidents of a cause are sent each day; the monitoring page lists all of them.",
      ),
    ),
  ],
});
