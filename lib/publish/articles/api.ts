import { ERRORS, type ErrorCode } from "@/lib/platform/errors";
import { APPROVAL_REASONS } from "@/lib/publish/answers";
import { type Article, part, shown, slot, steps, terms, text } from "@/lib/publish/articles/article";
import { ACTIONS } from "@/lib/publish/groups";
import { ID_ROWS } from "@/lib/publish/id-sources";
import { REFUSALS } from "@/lib/publish/refusals";

const SUCCESS = `{"data": {…}, "operationId": "sites.list", "replayed": false, "request_id": "7d1f0c52…"}`;
const FAILURE = `{"error": {"code": "invalid_input", "message": "…", "details": {…}}, "operationId": "sites.list", "request_id": "7d1f0c52…"}`;

/** How operations are called. The page for agents has these rules too. */
export const CALLING = (base: string): string =>
  `Operations that read are \`GET ${base}${ACTIONS}/<operationId>\` with query parameters. All others are \`POST\` to the same path with one JSON object as \`application/json\`, at most 262144 bytes. Unknown parameters are refused, and so are query parameters of a POST and parameters that occur twice. An empty parameter means absent, and so does \`null\`, except in free text. Send an object in a query as JSON or with brackets (\`name[key]=value\`).`;

export const IDEMPOTENCY =
  'Every POST needs a header `Idempotency-Key` of 8 to 200 visible ASCII characters without spaces. Use a new key for each change, and store it before you send the call. Repeat the call with the same key and body if no answer came, and after 429, 500 and 503: the change happens once. For 72 hours a repeated call returns the stored answer with `"replayed": true`. The same key with another body or operation is 409 `idempotency_conflict`; while the first call runs, 409 `operation_in_progress`. Refused calls are not stored: correct the input and use the same key.';

export const APPROVAL_STEPS = [
  "Call the operation. The answer is 409 `approval_required` with `details.approval`: `id`, `approval_url`, `binding_code`, `expires_at`.",
  "Show `approval_url` and `binding_code` to your human. They open the page, compare the code and decide. You cannot decide for them.",
  "Repeat the same call with the same `Idempotency-Key` and the header `X-Agent-Approval-ID: <id>`. While the human has not decided, the answer is 409 `approval_required` with the reason `pending`: wait `Retry-After` seconds between attempts.",
] as const;

const ERROR_ROWS: [string, string][] = (Object.keys(ERRORS) as ErrorCode[]).map((code) => [
  `${ERRORS[code]} ${code}`,
  REFUSALS[code].about,
]);

export const apiArticle = (base: string): Article => ({
  slug: "api",
  title: "API reference",
  lead: "All operations. Each page lists the parameters, the answer and the required scope, role and approval.",
  index: "how to call operations, idempotency, approvals, where ids come from, all errors",
  forAgents: true,
  parts: [
    part(
      "operations",
      "Operations",
      slot("operations", text("[llms.txt](/llms.txt) lists the operations, each with a page of its own.")),
    ),
    part(
      "calling",
      "Call an operation",
      text(CALLING(base)),
      text(
        "Each call needs `Authorization: Bearer <ACCESS_TOKEN>`; [Identity and OAuth](/docs/identity) explains how an agent gets one. A script uses a [personal token](/docs/identity#scripts) instead. Send it from servers only; never put it into a URL, which is refused, a page or a log. You may send your own `X-Request-ID` (1 to 128 characters of A-Z a-z 0-9 . _ -); the answer returns it, or a new one.",
      ),
      text("Success is 200:"),
      shown("the answer", SUCCESS),
      text(
        "In an error, `details` and `operationId` may be missing. Decide by `error.code`; `error.message` says what to do:",
      ),
      shown("the error", FAILURE),
    ),
    part("idempotency", "Write exactly once", text(IDEMPOTENCY)),
    part(
      "approvals",
      "Approvals",
      text("An operation marked “needs approval” runs only after a human approved exactly this call:"),
      steps(...APPROVAL_STEPS),
      text("An approval is valid for one call. If a call is refused, `details.reason` says why:"),
      terms(Object.entries(APPROVAL_REASONS)),
      text(
        "A machine account without a human gets 409 `interactive_required` with `details.interactive_url`, which a human must open first.",
      ),
    ),
    part("ids", "Where ids come from", terms(ID_ROWS)),
    part("errors", "Errors", slot("errors", terms(ERROR_ROWS))),
  ],
});
