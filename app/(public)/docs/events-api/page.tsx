import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { Glossary, Parameters } from "@/components/docs/parameters";
import { DocsPage, Part, Term } from "@/components/docs/prose";
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
        <Code text={eventCurl(PLACEHOLDER_ORIGIN)} what="the call" />
        <p>It is answered 202 after the event is committed:</p>
        <Code text={ANSWER} what="the answer" copy={false} />
        <p>
          <Term>stored</Term>, or <Term>duplicate</Term> when an event with this <Term>event_id</Term> is there already,
          or <Term>filtered</Term> when a rule of the site leaves it out; then <Term>reason</Term> says which.{" "}
          <Term>class</Term> says how a stored event was classified.
        </p>
      </Part>
      <Part id="servers" title="Events from servers">
        <p>
          A call without <Term>Origin</Term> from an HTTP library, a webhook or without a user agent is a server event.
          It counts as human traffic. It joins the running visit of its <Term>user_id</Term> and takes its source;
          without one it is an event without a visit or visitor. Declared crawlers stay bots.
        </p>
        <p>
          A server may send an ingest key of the site as <Term>Authorization: Bearer</Term>. Then nothing about the call
          is suspicious, and a key that is not the site&rsquo;s is refused with 401.
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
