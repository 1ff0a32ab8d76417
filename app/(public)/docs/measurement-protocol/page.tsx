import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { Glossary } from "@/components/docs/parameters";
import { DocsPage, InlineText, Part, Term } from "@/components/docs/prose";
import { MAX_PAGES_PER_MINUTE } from "@/lib/ingest/enrich/suspicion";
import { CLIENT_IP_REASONS } from "@/lib/ingest/site/client-ip";
import { batchCurl } from "@/lib/publish/reference";
import { BATCH_REFUSALS, refusalsToSenders } from "@/lib/publish/refusals";
import { SIGNED_CURL, SIGNED_EXAMPLE, SIGNERS } from "@/lib/publish/signing";
import { COMMERCE_FIELDS, COMMERCE_NAMES, CONTEXT, HEADERS, OUTCOMES, STATUSES, TYPES } from "./words";

export const metadata: Metadata = { title: "Measurement Protocol" };

const ANSWER = `{"results":[{"index":0,"event_id":"ffe_…","status":"stored"},
  {"index":1,"event_id":"ffe_…","status":"stored"},
  {"index":2,"event_id":"order-2026-000043","status":"stored"}],
 "counts":{"stored":3,"duplicate":0,"filtered":0,"invalid":0,"error":0},"request_id":"7d1f0c52…"}`;

const FAULT = `{"index":1,"event_id":null,"status":"invalid","code":"invalid_input",
 "message":"name is required and must be text.","pointer":"/events/1/name"}`;

const WARNING = `{"index":0,"event_id":"ffe_…","status":"stored","warnings":[{"path":"properties.value",
 "message":"must be a number or decimal text such as \\"49.90\\", 0 or more and below 1000000000000; the amount is not counted"}]}`;

const SIGNED = Object.entries(SIGNED_EXAMPLE)
  .map(([name, value]) => `${name.padEnd(10)}${value}`)
  .join("\n");

const IMPORT = (base: string) =>
  `npm run import-log -- /var/log/nginx/access.log --site example.com --key-file ingest-key --state import-state --to ${base}`;

export default function MeasurementDocs() {
  return (
    <DocsPage
      title="Measurement Protocol"
      lead="Servers you trust send what happened, one event or a hundred at a time, and are told what became of each."
    >
      <Part id="send" title="Send a batch">
        <p>
          Make an ingest key in the settings of the site, under Measurement Protocol, or have an agent call{" "}
          <Term>sites.keys.create</Term>, which an owner approves. It is shown once, belongs to one site, and can be
          rotated without a gap. It is a secret of servers: never put it into a page or an app.
        </p>
        <Code text={batchCurl(PLACEHOLDER_ORIGIN)} what="the call" />
        <p>It is answered after the events are committed, each by itself:</p>
        <Code text={ANSWER} what="the answer" copy={false} />
        <p>Without its name, the second would be told so, and the others stored all the same:</p>
        <Code text={FAULT} what="the fault" copy={false} />
        <Glossary rows={OUTCOMES} />
        <Glossary rows={STATUSES} />
      </Part>
      <Part id="retry" title="When no answer came">
        <p>
          Give each event an <Term>event_id</Term> of your own and send the batch again after 429, 500 and 503, later
          each time. Each is stored once, however often and from however many servers it comes.
        </p>
      </Part>
      <Part id="types" title="Types of events">
        <p>
          Every event may carry <Term>event_id</Term>, <Term>name</Term>, <Term>user_id</Term>, <Term>properties</Term>{" "}
          and <Term>context</Term>. A field that is not listed makes it invalid. It counts at the moment it arrives, and
          so has no time of its own. Events of a batch count in the order of their indexes, and batches of one
          connection in the order in which you send them.
        </p>
        <Glossary rows={TYPES} />
        <p>
          <InlineText>
            {
              "The properties are free-form: up to 50, values nested at most five levels deep, 16 KiB an event. Commerce reports interpret events with these names, in the spelling of this service, of GA4 or of Segment. Other commerce events count under their own name."
            }
          </InlineText>
        </p>
        <Glossary rows={COMMERCE_NAMES} />
        <p>They read these properties:</p>
        <Glossary rows={COMMERCE_FIELDS} />
        <p>
          What cannot be interpreted is stored and not counted. The result then says so in <Term>warnings</Term>:
        </p>
        <Code text={WARNING} what="the warning" copy={false} />
      </Part>
      <Part id="context" title="Context">
        <Glossary rows={CONTEXT} />
      </Part>
      <Part id="visitors" title="Who a visitor is">
        <p>
          By <Term>user_id</Term> a person is known on any day; it is stored only as a pseudonym that no other site has.
          Else by <Term>context.session_id</Term>, for one day. Else by their address together with{" "}
          <Term>context.user_agent</Term>, as your pages&rsquo; own visits are, so that both become one visit. The
          address of the server that sends is never taken for a visitor&rsquo;s.
        </p>
        <p>
          A <Term>user_id</Term> that is sent with the session or address of a running visit joins that visit. Later
          events with only this <Term>user_id</Term> continue it and keep its source, also from other servers, until 30
          minutes of silence end it. A second <Term>user_id</Term> in the same session starts a new visit, so visits of
          two users are never merged. Only events of people, with the traffic <Term>human</Term>, join a visit. A visit
          that began without a <Term>user_id</Term> keeps the visitor it began with; later visits of the user have the
          user&rsquo;s own.
        </p>
        <p>
          Without any of the three nobody can be recognised: such events are counted, and all of a day that name the
          same user agent, or none, are one visitor&rsquo;s, who is never taken for anybody else. An event without a
          user agent is not a robot&rsquo;s.
        </p>
      </Part>
      <Part id="client-ip" title="Pass on a visitor's address">
        <p>
          Sign it with the ingest key, over the body exactly as you send it. It then goes for all events of the batch.
        </p>
        <Glossary rows={HEADERS} />
        {Object.entries(SIGNERS).map(([language, code]) => (
          <div key={language} className="space-y-2">
            <h3 className="font-semibold">{language}</h3>
            <Code text={code} what={`the signature in ${language}`} />
          </div>
        ))}
        <p>To check a signer of your own; in the body stands no space and no line break:</p>
        <Code text={SIGNED} what="the example" copy={false} />
        <p>
          And to see it work, with the key in <Term>INGEST_KEY</Term> (other users of the machine can see it while
          openssl runs):
        </p>
        <Code text={SIGNED_CURL(PLACEHOLDER_ORIGIN)} what="the signed call" />
        <p>
          An address that does not hold is not used and the events are stored without it; <Term>client_ip</Term> in the
          answer says why:
        </p>
        <Glossary rows={Object.entries(CLIENT_IP_REASONS)} />
        <p>
          What the site says of shortened addresses and of exactness of places holds for passed-on addresses too. The
          headers are also taken under the names <Term>X-Service-Client-IP…</Term>.
        </p>
      </Part>
      <Part id="logs" title="Crawlers, from your access log">
        <p>
          Crawlers run no script. The pages they read stand in the access log of your web server, and this command, run
          where the code of this service is, posts them. It reads the format <Term>combined</Term> of nginx and Apache
          and the JSON of Caddy, from a file, a .gz, or with <Term>-</Term> from stdin.
        </p>
        <Code text={IMPORT(PLACEHOLDER_ORIGIN)} what="the command" />
        <p>
          The key file, readable by you alone, holds an ingest key; the variable <Term>INGEST_KEY</Term> does as well.
          Make a key for the import alone: it uses up the requests a minute of its key, and can be revoked without
          stopping another server. Pages that were answered 200 or 304 are sent, files are not. At the end stands what
          became of them, with the number of each line that was invalid and why.
        </p>
        <p>
          A page counts at the time of its import, whatever the log says, so run it every few minutes on the log as it
          grows. The file of <Term>--state</Term> remembers where it ended, also when it had to stop, at a quota for
          example; the next run goes on there, and begins anew when the log was rotated. Run it once more just before a
          rotation, such as in <Term>prerotate</Term> of logrotate, or what came since the last run stays behind. It
          always says which line is next; with <Term>--from</Term> you choose yourself. A line that was imported before
          adds nothing.
        </p>
        <p>
          A batch holds pages of one address, because the address shows whether a crawler is the one it says it is. So a
          log of many addresses takes longer than one of few.
        </p>
        <p>
          With <Term>--all</Term> it posts people&rsquo;s pages too, for sites without the script. The log must then
          hold the addresses of visitors, and old logs make one long visit of each person&rsquo;s pages. More than{" "}
          {MAX_PAGES_PER_MINUTE} a minute of one address and browser are left out.
        </p>
      </Part>
      <Part id="errors" title="Errors of a whole batch">
        <p>Nothing of it is stored then.</p>
        <Glossary rows={refusalsToSenders(BATCH_REFUSALS)} />
      </Part>
    </DocsPage>
  );
}
