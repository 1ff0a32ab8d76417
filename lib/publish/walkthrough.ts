import { measuring } from "@/lib/publish/walkthrough-measure";
import {
  CREDENTIALS,
  call,
  FIELD,
  JSON_TYPE,
  lines,
  NEW_KEY,
  RESOURCE,
  TOKEN,
  type Walk,
} from "@/lib/publish/walkthrough-shell";

export type { Step, Walk } from "@/lib/publish/walkthrough-shell";

/** The way of an agent from nothing to an approved act, as blocks for a shell with curl. The e2e tests run them as they are. */

/**
 * @param baseUrl the public address of this service, without a slash at its end.
 */
export function walkthrough(baseUrl: string): Walk[] {
  return [alone(baseUrl), delegated(baseUrl), acting(), measuring()];
}

const alone = (baseUrl: string): Walk => ({
  id: "register",
  title: "On its own: register by proof of a domain",
  about:
    "An agent that controls a domain needs no human to begin. It proves the domain by DNS (or by a file over HTTPS) and holds a recovery key that never leaves it but for these calls. It gets an account, a confidential client and a first private site for the domain.",
  steps: [
    {
      id: "challenge",
      title: "Ask for a challenge",
      about:
        "The recovery key is 32 random bytes in hex. Keep it safe and private: it alone recovers the account, and no proof or e-mail address stands in for it.",
      code: lines(
        `umask 077; BASE=${baseUrl}; DOMAIN=example.com`,
        "RECOVERY_KEY=$(openssl rand -hex 32)",
        call(
          `curl -sS "$BASE/api/v1/agents/identity/challenges" -o challenge.json`,
          `${NEW_KEY} ${JSON_TYPE}`,
          `-d '{"domain":"'$DOMAIN'","method":"dns","recovery_key":"'$RECOVERY_KEY'","name":"Report writer"}'`,
        ),
        "cat challenge.json",
      ),
    },
    {
      id: "activate",
      title: "Publish the proof, then activate",
      about:
        "Publish `value` as a TXT record at `dns_name`, within the 30 minutes of the challenge. Then activate: 201 with the client's id and secret, its scopes and its site. 422 `proof_not_verified` means that the record is not seen yet: repeat the call with the same key. The answer itself is given again for 24 hours to the same key and body, should it get lost.",
      code: lines(
        FIELD,
        "KEY=$(openssl rand -hex 32)  # for this act and its repetitions",
        call(
          `curl -sS "$BASE/api/v1/agents/identity/registrations" -o client.json`,
          `-H "Idempotency-Key: $KEY" ${JSON_TYPE}`,
          `-d '{"challenge_id":"'$(field challenge_id challenge.json)'","recovery_key":"'$RECOVERY_KEY'","scopes":["sites:read","sites:write","analytics:read"]}'`,
        ),
      ),
    },
    {
      id: "token",
      title: "Get an access token",
      about:
        "Valid for 15 minutes, without a refresh token: ask again with the same call. `resource` is exactly this address.",
      code: lines(
        call(
          `curl -sS "$BASE/oauth/token" -o token.json`,
          "-d grant_type=client_credentials -d scope='sites:read sites:write analytics:read'",
          CREDENTIALS,
          RESOURCE,
        ),
      ),
    },
    {
      id: "recover",
      title: "If the secret is lost: ask to recover",
      about:
        "A challenge with `purpose` `recover` carries a NEW recovery key. Publish its proof as before. When the answer of the registration itself was lost, leave `client_id` out here and in the next call.",
      code: lines(
        "NEW_RECOVERY_KEY=$(openssl rand -hex 32)",
        call(
          `curl -sS "$BASE/api/v1/agents/identity/challenges" -o challenge.json`,
          `${NEW_KEY} ${JSON_TYPE}`,
          `-d '{"purpose":"recover","domain":"'$DOMAIN'","method":"dns","recovery_key":"'$NEW_RECOVERY_KEY'","client_id":"'$(field client_id client.json)'"}'`,
        ),
        "cat challenge.json",
      ),
    },
    {
      id: "replace",
      title: "Replace the client",
      about:
        "The challenge and the OLD recovery key are answered with a new client that has the same scopes and sites. The old client and all its tokens end at that moment; from now on the new recovery key counts.",
      code: lines(
        "KEY=$(openssl rand -hex 32)",
        call(
          `curl -sS "$BASE/api/v1/agents/identity/recoveries" -o new-client.json`,
          `-H "Idempotency-Key: $KEY" ${JSON_TYPE}`,
          `-d '{"challenge_id":"'$(field challenge_id challenge.json)'","recovery_key":"'$RECOVERY_KEY'","client_id":"'$(field client_id client.json)'"}'`,
        ),
        "grep -q client_secret new-client.json && mv new-client.json client.json && RECOVERY_KEY=$NEW_RECOVERY_KEY",
      ),
    },
  ],
});

const delegated = (baseUrl: string): Walk => ({
  id: "delegate",
  title: "For a human: delegate by device code",
  about:
    "An agent that acts for a human gets a client that may do nothing yet. The human signs in on their own device, types a code, and chooses scopes and sites. The agent never sees a password.",
  steps: [
    {
      id: "bootstrap",
      title: "Make a client and ask for a code",
      about:
        "Show `verification_uri` and `user_code` to your human, and nothing else: `device_code` is a secret of yours. The code is good for 10 minutes.",
      code: lines(
        `umask 077; BASE=${baseUrl}`,
        FIELD,
        call(
          `curl -sS "$BASE/api/v1/agents/identity/delegations" -o client.json`,
          `${NEW_KEY} ${JSON_TYPE}`,
          `-d '{"name":"Report writer","scopes":["sites:read","sites:write","sites:delete","analytics:read","account:read"]}'`,
        ),
        call(
          `curl -sS "$BASE/oauth/device/code" -o device.json`,
          `${CREDENTIALS}`,
          "-d scope='sites:read sites:write sites:delete analytics:read account:read'",
        ),
        'echo "Please open $(field verification_uri device.json) and enter $(field user_code device.json)"',
      ),
    },
    {
      id: "poll",
      title: "Wait for the human",
      about:
        "Ask no faster than `interval` seconds; `slow_down` adds 5. `access_denied` and `expired_token` end it. What was allowed stands in `scope`: it may be less than was asked for.",
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
      title: "Go on after 15 minutes",
      about:
        "A refresh token works once: keep the new one before you use it. Refresh from one place only, since a second use of the same token ends the whole grant, and your human must consent anew.",
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
  title: "Call, be asked for approval, retry",
  about:
    "These blocks follow one of the two ways above. An agent on its own has no human to ask at first: instead of an approval it is given `interactive_url`, where someone proves the same domain and takes its sites over. From then on both kinds go on alike.",
  steps: [
    {
      id: "call",
      title: "Call",
      about: "The sites that were granted, and what this client may do with them.",
      code: lines(call('curl -sS "$BASE/api/v1/management/actions/sites.list" -o sites.json', TOKEN), "cat sites.json"),
    },
    {
      id: "ask",
      title: "Be asked for approval",
      about:
        "What could hurt the owner is answered 409 `approval_required` with `details.approval`. Show `approval_url` and `binding_code` to your human: the page shows the same code, and what would change. Keep key and body: the approval is for exactly this call.",
      code: lines(
        `SITE=$(sed 's/.*"sites":\\[{"site_id":\\([0-9]*\\).*/\\1/' sites.json)`,
        "KEY=$(openssl rand -hex 16)",
        `BODY='{"site_id":'$SITE',"name":"Our shop","timezone":"Europe/Berlin","reporting_currency":"EUR","public":true}'`,
        call(
          'curl -sS "$BASE/api/v1/management/actions/sites.settings.update" -o answer.json',
          `${TOKEN} ${JSON_TYPE}`,
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
      title: "Retry until it is decided",
      about:
        'The same call with the same key, and the approval\'s id as `X-Agent-Approval-ID`. While `details.reason` is `pending`, wait the seconds of `Retry-After`. An approval waits for a day and a token is good for 15 minutes: when this ends with `invalid_token`, get a new token and run it again. Once it is done, a repetition is answered from memory with `"replayed": true`.',
      code: lines(
        "while sleep 5; do",
        `  ${call(
          'curl -sS "$BASE/api/v1/management/actions/sites.settings.update" -o answer.json',
          `  ${TOKEN} ${JSON_TYPE}`,
          '  -H "Idempotency-Key: $KEY" -H "X-Agent-Approval-ID: $APPROVAL" -d "$BODY"',
        )}`,
        '  [ "$(field reason answer.json)" = pending ] || break',
        "done",
        "cat answer.json",
      ),
    },
  ],
});
