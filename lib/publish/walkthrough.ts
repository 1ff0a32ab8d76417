import { DEVICE_CODE_SECONDS } from "@/lib/oauth/device";
import { ACCESS_TOKEN_SECONDS } from "@/lib/oauth/tokens";
import { CHALLENGE_MINUTES } from "@/lib/platform/limits";
import { randomHex } from "@/lib/publish/random-hex";
import { measuring } from "@/lib/publish/walkthrough-measure";
import {
  CREDENTIALS,
  call,
  FIELD,
  JSON_TYPE_OPTION,
  lines,
  NEW_KEY,
  RESOURCE,
  TOKEN,
  type Walk,
} from "@/lib/publish/walkthrough-shell";

export type { Step, Walk } from "@/lib/publish/walkthrough-shell";

/**
 * The steps of an agent from registration to an approved change, as blocks for a shell with curl. The end-to-end tests run
 * them unchanged.
 *
 * @param baseUrl the public address of this service, without a slash at its end.
 */
export function walkthrough(baseUrl: string): Walk[] {
  return [alone(baseUrl), delegated(baseUrl), acting(), measuring()];
}

const alone = (baseUrl: string): Walk => ({
  id: "register",
  title: "Without a human: register by proof of a domain",
  about:
    "An agent that controls a domain can start without a human. It proves the domain by DNS (or by a file over HTTPS) and keeps a recovery key, which it sends in these calls only. It gets a machine account, a confidential client and a private site for the domain.",
  steps: [
    {
      id: "challenge",
      title: "Request a challenge",
      about:
        "The recovery key is 32 random bytes in hex. Keep it safe and private: only this key recovers the account.",
      code: lines(
        `umask 077; BASE=${baseUrl}; DOMAIN=example.com`,
        `RECOVERY_KEY=${randomHex(32)}`,
        call(
          `curl -sS "$BASE/api/v1/agents/identity/challenges" -o challenge.json`,
          `${NEW_KEY} ${JSON_TYPE_OPTION}`,
          `-d '{"domain":"'$DOMAIN'","method":"dns","recovery_key":"'$RECOVERY_KEY'","name":"Report writer"}'`,
        ),
        "cat challenge.json",
      ),
    },
    {
      id: "activate",
      title: "Publish the proof, then activate",
      about: `Publish \`value\` as a TXT record at \`dns_name\`. A challenge expires after ${CHALLENGE_MINUTES} minutes. Then activate: 201 returns the client's id and secret, its scopes and its site. 422 \`proof_not_verified\` means that the record is not visible yet: repeat the call with the same key. If the answer is lost, the same key and body return it again for 24 hours. These scopes are for all blocks on this page: ask now for what you will need. Later only a human gives you more, or without one a recovery.`,
      code: lines(
        FIELD,
        `KEY=${randomHex(32)}  # the same for retries`,
        call(
          `curl -sS "$BASE/api/v1/agents/identity/registrations" -o client.json`,
          `-H "Idempotency-Key: $KEY" ${JSON_TYPE_OPTION}`,
          `-d '{"challenge_id":"'$(field challenge_id challenge.json)'","recovery_key":"'$RECOVERY_KEY'","scopes":["sites:read","sites:write","sites:create","analytics:read","account:read"]}'`,
        ),
      ),
    },
    {
      id: "token",
      title: "Get an access token",
      about: `Valid for ${ACCESS_TOKEN_SECONDS / 60} minutes, without a refresh token: repeat the call for a new one. It has all scopes that are granted now; \`scope\` asks for fewer. \`resource\` must be exactly this URL.`,
      code: lines(
        call(`curl -sS "$BASE/oauth/token" -o token.json`, "-d grant_type=client_credentials", CREDENTIALS, RESOURCE),
      ),
    },
    {
      id: "recover",
      title: "If the secret is lost: request a recovery",
      about:
        "A challenge with `purpose` `recover` takes a NEW recovery key. Publish its proof as before. If the answer of the registration was lost, leave out `client_id` here and in the next call.",
      code: lines(
        `NEW_RECOVERY_KEY=${randomHex(32)}`,
        call(
          `curl -sS "$BASE/api/v1/agents/identity/challenges" -o challenge.json`,
          `${NEW_KEY} ${JSON_TYPE_OPTION}`,
          `-d '{"purpose":"recover","domain":"'$DOMAIN'","method":"dns","recovery_key":"'$NEW_RECOVERY_KEY'","client_id":"'$(field client_id client.json)'"}'`,
        ),
        "cat challenge.json",
      ),
    },
    {
      id: "replace",
      title: "Replace the client",
      about:
        "Send the challenge and the OLD recovery key. The answer is a new client with the same sites, and the same scopes unless you add others as `scopes`, which you may while no human owns one of the sites. The old client and its tokens stop working, and the new recovery key replaces the old one.",
      code: lines(
        `KEY=${randomHex(32)}`,
        call(
          `curl -sS "$BASE/api/v1/agents/identity/recoveries" -o new-client.json`,
          `-H "Idempotency-Key: $KEY" ${JSON_TYPE_OPTION}`,
          `-d '{"challenge_id":"'$(field challenge_id challenge.json)'","recovery_key":"'$RECOVERY_KEY'","client_id":"'$(field client_id client.json)'"}'`,
        ),
        "grep -q client_secret new-client.json && mv new-client.json client.json && RECOVERY_KEY=$NEW_RECOVERY_KEY",
      ),
    },
    {
      id: "grow",
      title: "Ask your human for more",
      about:
        "For a client with a human, who has taken over all of its sites: ask them for further scopes, or without `scope` for further sites. Show them both values. You keep what you have. Your next access token has what they allowed; the block “Wait for the human” tells you when.",
      code: lines(
        call(`curl -sS "$BASE/oauth/device/code" -o device.json`, CREDENTIALS, "-d scope='sites:delete events:read'"),
        'echo "Please open $(field verification_uri device.json) and enter $(field user_code device.json)"',
      ),
    },
  ],
});

const delegated = (baseUrl: string): Walk => ({
  id: "delegate",
  title: "For a human: request access by device code",
  about:
    "An agent that acts for a human gets a client without any rights. The human signs in on their own device, types a code, and chooses scopes and sites. The agent never sees a password.",
  steps: [
    {
      id: "bootstrap",
      title: "Create a client and request a code",
      about: `Show \`verification_uri\` and \`user_code\` to your human, and nothing else: \`device_code\` is your secret. The code expires after ${DEVICE_CODE_SECONDS / 60} minutes. The client can ask for these scopes only, now or later; for others, create another one.`,
      code: lines(
        `umask 077; BASE=${baseUrl}`,
        FIELD,
        call(
          `curl -sS "$BASE/api/v1/agents/identity/delegations" -o client.json`,
          `${NEW_KEY} ${JSON_TYPE_OPTION}`,
          `-d '{"name":"Report writer","scopes":["sites:read","sites:write","sites:create","sites:delete","analytics:read","account:read"]}'`,
        ),
        call(`curl -sS "$BASE/oauth/device/code" -o device.json`, CREDENTIALS),
        'echo "Please open $(field verification_uri device.json) and enter $(field user_code device.json)"',
      ),
    },
    {
      id: "poll",
      title: "Wait for the human",
      about:
        "Poll at most every `interval` seconds; after `slow_down` wait 5 seconds longer. `access_denied` and `expired_token` are final. `scope` holds the granted scopes, which may be fewer than requested.",
      code: lines(
        "INTERVAL=5",
        "while sleep $INTERVAL; do",
        `  ${call(
          `curl -sS "$BASE/oauth/token" -o token.json`,
          "  --data-urlencode grant_type=urn:ietf:params:oauth:grant-type:device_code",
          '  -d device_code="$(field device_code device.json)"',
          `  ${CREDENTIALS}`,
          `  ${RESOURCE}`,
        )}`,
        '  case "$(field error token.json)" in',
        "    authorization_pending) ;;",
        "    slow_down) INTERVAL=$((INTERVAL + 5)) ;;",
        "    *) break ;;",
        "  esac",
        "done",
      ),
    },
    {
      id: "refresh",
      title: "Refresh the token",
      about:
        "A refresh token works once: store the new one before you use it. Refresh from one process only: a second use of the same token revokes the whole grant, and your human must consent again.",
      code: lines(
        call(
          `curl -sS "$BASE/oauth/token" -o next.json`,
          '-d grant_type=refresh_token -d refresh_token="$(field refresh_token token.json)"',
          CREDENTIALS,
          RESOURCE,
        ),
        "grep -q refresh_token next.json && mv next.json token.json || cat next.json",
      ),
    },
  ],
});

const acting = (): Walk => ({
  id: "act",
  title: "Call, get approval, retry",
  about:
    "These blocks follow either of the two sections above. A machine account without a human gets `interactive_url` instead of an approval: a human opens it, proves the same domain and takes over the site. After that, both kinds of agents work the same.",
  steps: [
    {
      id: "call",
      title: "Call",
      about: "Lists the granted sites with your role on each.",
      code: lines(call('curl -sS "$BASE/api/v1/management/actions/sites.list" -o sites.json', TOKEN), "cat sites.json"),
    },
    {
      id: "ask",
      title: "Request an approval",
      about:
        "A risky call is answered 409 `approval_required` with `details.approval`. Show `approval_url` and `binding_code` to your human: the page shows the same code and what would change. Keep key and body: the approval is for exactly this call.",
      code: lines(
        `SITE=$(sed 's/.*"sites":\\[{"site_id":\\([0-9]*\\).*/\\1/' sites.json)`,
        `KEY=${randomHex(16)}`,
        `BODY='{"site_id":'$SITE',"name":"Our shop","timezone":"Europe/Berlin","reporting_currency":"EUR","public":true}'`,
        call(
          'curl -sS "$BASE/api/v1/management/actions/sites.settings.update" -o answer.json',
          `${TOKEN} ${JSON_TYPE_OPTION}`,
          `-H "Idempotency-Key: $KEY" -d "$BODY"`,
        ),
        "APPROVAL=$(field id answer.json)",
        "if grep -q interactive_url answer.json; then",
        '  echo "Please open $(field interactive_url answer.json), then run this block again"',
        "else",
        '  echo "Please open $(field approval_url answer.json) and compare the code $(field binding_code answer.json)"',
        "fi",
      ),
    },
    {
      id: "retry",
      title: "Retry until the human decides",
      about:
        'Repeat the call with the same key and send the approval\'s id as `X-Agent-Approval-ID`. While `details.reason` is `pending`, wait `Retry-After` seconds. A pending approval expires after a day, a token after 15 minutes: on `invalid_token`, get a new token and run the block again. After success, a retry returns the stored answer with `"replayed": true`.',
      code: lines(
        "while sleep 5; do",
        `  ${call(
          'curl -sS "$BASE/api/v1/management/actions/sites.settings.update" -o answer.json',
          `  ${TOKEN} ${JSON_TYPE_OPTION}`,
          '  -H "Idempotency-Key: $KEY" -H "X-Agent-Approval-ID: $APPROVAL" -d "$BODY"',
        )}`,
        '  [ "$(field reason answer.json)" = pending ] || break',
        "done",
        "cat answer.json",
      ),
    },
  ],
});
