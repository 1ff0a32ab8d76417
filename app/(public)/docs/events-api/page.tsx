import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { Glossary, Parameters } from "@/components/docs/parameters";
import { DocsPage, Part, Term } from "@/components/docs/prose";
import { env } from "@/lib/env";
import { eventCurl, eventParameters } from "@/lib/publish/reference";
import { EVENT_REFUSALS, refusalsToSenders } from "@/lib/publish/refusals";

export const metadata: Metadata = { title: "Events API" };

const ANSWER = `{"status":"stored","event_id":"order-2026-000042","class":"human","request_id":"7d1f0c52-3f0e-4b1a-8f60-0a4f7c1d9e21"}`;

export default function EventsDocs() {
  return (
    <DocsPage
      title="Events API"
      lead="One POST sends one event, from a backend, a webhook, or wherever a browser cannot be relied on."
    >
      <Part id="send" title="Send an event">
        <Code text={eventCurl(env().BASE_URL)} what="the call" />
        <p>It is answered 202 after the event is committed:</p>
        <Code text={ANSWER} what="the answer" copy={false} />
        <p>
          <Term>stored</Term>, or <Term>duplicate</Term> when an event with this <Term>event_id</Term> is there already,
          or <Term>filtered</Term> when a rule of the site leaves it out; then <Term>reason</Term> says which. <Term>class</Term> is the class of traffic of a stored event:
          human, bot, ai, spam or suspicious. <Term>warnings</Term> name properties that reports could not interpret.
        </p>
      </Part>
      <Part id="servers" title="From a server">
        <p>
          A call without <Term>Origin</Term> is a server&rsquo;s event when its user agent is a library for HTTP (curl,
          axios, python-requests, Go, okhttp and the like), anything else that is neither a browser nor a crawler, or
          missing. It counts with people. With a <Term>user_id</Term> whose visit is running it belongs to that visit.
          Otherwise it has no visit and no visitor: it counts among the events and pageviews, by its name, for goals,
          conversions and revenue, but not among visitors and visits, and its source is unknown.
        </p>
        <p>
          Without <Term>Origin</Term> but with a browser&rsquo;s user agent, a call is about the visitor with that
          browser and address. Send an ingest key of the site as <Term>Authorization: Bearer</Term> to keep it from being
          taken for suspicious. Crawlers that name themselves are always bots.
        </p>
      </Part>
      <Part id="retry" title="When no answer came">
        <p>
          Give each event an <Term>event_id</Term> of your own and send it again after 429, 500 and 503, later each
          time. It is stored once. A 400 or 422 comes again until the event is corrected.
        </p>
      </Part>
      <Part id="fields" title="Fields">
        <p>
          At most 64 KiB of JSON. A pageview needs <Term>url</Term> or <Term>path</Term>; fields that are not listed are
          ignored. The sender&rsquo;s address counts as a visitor&rsquo;s only when its user agent is a browser&rsquo;s.
        </p>
        <Parameters parameters={eventParameters()} name="Fields of an event" />
      </Part>
      <Part id="errors" title="Errors">
        <Glossary rows={refusalsToSenders(EVENT_REFUSALS)} />
      </Part>
    </DocsPage>
  );
}
