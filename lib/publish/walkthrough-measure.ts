import { randomHex } from "@/lib/publish/random-hex";
import { call, JSON_TYPE_OPTION, lines, NEW_KEY, TOKEN, type Walk } from "@/lib/publish/walkthrough-shell";

/** A write that stores its answer in a file. */
const write = (operation: string, file: string, body: string) =>
  call(
    `curl -sS "$BASE/api/v1/management/actions/${operation}" -o ${file}`,
    `${TOKEN} ${JSON_TYPE_OPTION}`,
    `${NEW_KEY} -d '${body}'`,
  );

const keyCall = (more: string) =>
  call(
    'curl -sS "$BASE/api/v1/management/actions/sites.keys.create" -o key.json',
    `${TOKEN} ${JSON_TYPE_OPTION}`,
    `-H "Idempotency-Key: $KEY"${more} -d "$BODY"`,
  );

export const measuring = (): Walk => ({
  id: "measure",
  title: "Set up a site, send events, read reports",
  about:
    "These blocks follow the block “Call” above. The agent defines a goal, gets an approved ingest key for its server, sends events and reads a report.",
  steps: [
    {
      id: "define",
      title: "Define a goal, a funnel and an annotation",
      about:
        "Each answer has an `id`: the same operation with this `id` changes the item, and `.delete` deletes it. Reports take the goal as the filter `goal:Signup` and the funnel by its name.",
      code: lines(
        `SITE=$(sed 's/.*"sites":\\[{"site_id":\\([0-9]*\\).*/\\1/' sites.json)`,
        write(
          "sites.goals.save",
          "goal.json",
          `{"site_id":'$SITE',"name":"Signup","reached_by":{"kind":"event","pattern":"Signup"}}`,
        ),
        write(
          "sites.funnels.save",
          "funnel.json",
          `{"site_id":'$SITE',"name":"Signing up","steps":[{"kind":"page","pattern":"/pricing"},{"kind":"event","pattern":"Signup"}]}`,
        ),
        write(
          "sites.annotations.save",
          "annotation.json",
          `{"site_id":'$SITE',"time":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","kind":"deploy","text":"Version 2.0 is live"}`,
        ),
        "cat goal.json funnel.json annotation.json",
      ),
    },
    {
      id: "key",
      title: "Request an ingest key",
      about:
        "A server sends batches with an ingest key. A new key needs approval: show `approval_url` and `binding_code`, and keep key and body.",
      code: lines(
        `KEY=${randomHex(16)}`,
        `BODY='{"site_id":'$SITE',"name":"Shop server"}'`,
        keyCall(""),
        "APPROVAL=$(field id key.json)",
        "if grep -q interactive_url key.json; then",
        '  echo "Please open $(field interactive_url key.json), then run this block again"',
        "else",
        '  echo "Please open $(field approval_url key.json) and compare the code $(field binding_code key.json)"',
        "fi",
      ),
    },
    {
      id: "key-retry",
      title: "Retry until the human decides",
      about:
        "The answer contains the ingest key, and for 72 hours the same call returns it again. Afterwards nothing does: keep it like a password, out of pages and apps.",
      code: lines(
        "while sleep 5; do",
        `  ${keyCall(' -H "X-Agent-Approval-ID: $APPROVAL"').replaceAll("\n", "\n  ")}`,
        '  [ "$(field reason key.json)" = pending ] || break',
        "done",
      ),
    },
    {
      id: "send",
      title: "Send events",
      about:
        "A batch, in the order in which the events happened. `session_id` is your own name of the visit, and the page must be on a domain of the site. An event with your own `event_id` counts once, however often you send it.",
      code: lines(
        `DOMAIN=$(sed 's/.*"sites":\\[{"site_id":[0-9]*,"domain":"\\([^"]*\\)".*/\\1/' sites.json)`,
        `CONTEXT='{"session_id":"s-1","page":{"url":"https://'$DOMAIN'/pricing"}}'`,
        call(
          'curl -sS "$BASE/api/v1/events" -o sent.json',
          `-H "Authorization: Bearer $(field key key.json)" ${JSON_TYPE_OPTION}`,
          `-d '{"events":[{"type":"page","context":'"$CONTEXT"'},{"type":"event","name":"Signup","context":'"$CONTEXT"'}]}'`,
        ),
        "cat sent.json",
      ),
    },
    {
      id: "read",
      title: "Read the funnel",
      about: "Reports include an event after a few seconds.",
      code: lines(
        "sleep 3",
        call(
          'curl -sS -G "$BASE/api/v1/management/actions/analytics.funnels" -o report.json',
          TOKEN,
          `-d site_id=$SITE -d period=today -d traffic=all --data-urlencode 'funnel=Signing up'`,
        ),
        "cat report.json",
      ),
    },
  ],
});
