import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { Glossary } from "@/components/docs/parameters";
import { Anchor, DocsPage, Part, Term } from "@/components/docs/prose";
import { OPERATORS } from "@/lib/analytics/query/conditions";
import { DIMENSIONS } from "@/lib/analytics/query/dimensions";
import { METRICS, TRAFFIC } from "@/lib/contract/vocabulary";
import { CHANNEL_RULES, DIRECT } from "@/lib/ingest/enrich/channels";
import { RANGES } from "@/lib/ingest/enrich/ranges";
import { PURPOSES, REASONS } from "@/lib/ingest/enrich/verdict";
import { SCRUBBED } from "@/lib/ingest/event/scrub";
import { FILTER_EXAMPLES, FILTERING, READING } from "@/lib/publish/filtering";

export const metadata: Metadata = { title: "Metrics" };

const ARTICLES = { visit: "a visit", event: "an event" };
const UNITS = { count: "a count", ratio: "a ratio", fraction: "a fraction from 0 to 1", seconds: "seconds" };

export default function MetricsDocs() {
  return (
    <DocsPage
      title="Metrics"
      lead="The dashboard and the API give the same numbers, and each has one definition. Unknown is null, never zero."
    >
      <div className="space-y-6">
        {Object.entries(METRICS).map(([key, { label, unit, about }]) => (
          <section key={key} className="max-w-[42rem]">
            <Anchor id={key} look="text-lg">
              {label}
            </Anchor>
            <p className="mt-1">{about}</p>
            <p className="mt-1 text-sm text-muted">
              <Term>{key}</Term>, {UNITS[unit]}
            </p>
          </section>
        ))}
      </div>
      <Part id="reading" title="Reading a report">
        <Glossary rows={Object.entries(READING)} />
      </Part>
      <Part id="dimensions" title="Dimensions">
        <p>What reports are grouped and filtered by. Each belongs to a whole visit or to each event.</p>
        <Glossary
          rows={Object.entries(DIMENSIONS).map(([key, { level, about }]) => [key, `Of ${ARTICLES[level]}. ${about}`])}
        />
      </Part>
      <Part id="filters" title="Filters">
        <p>
          <Term>filters</Term> is an object of a dimension, <Term>prop:&lt;name&gt;</Term> or{" "}
          <Term>goal:&lt;name&gt;</Term> and what it is compared with: a value, a list, or one of these.
        </p>
        <Glossary rows={Object.entries(OPERATORS)} />
        <Glossary rows={Object.entries(FILTERING)} />
        {FILTER_EXAMPLES.map(({ about, filters, brackets }) => (
          <div key={about} className="space-y-2">
            <p>{about}, as JSON or with brackets:</p>
            <Code text={`filters=${JSON.stringify(filters)}\n${brackets}`} what="the filters" />
          </div>
        ))}
      </Part>
      <Part id="traffic" title="Traffic">
        <p>
          Nothing is thrown away: each event is kept with its class, and <Term>traffic</Term> chooses which are counted.
        </p>
        <Glossary rows={Object.entries(TRAFFIC)} />
        <p>
          What nothing speaks against is a person&rsquo;s. Everything else keeps its reason, the name of the robot and
          of its operator where they are known, and the version of the lists that it was decided by. These are all of
          the reasons:
        </p>
        <Glossary
          rows={Object.entries(REASONS).map(([reason, { traffic, about }]) => [`${traffic}: ${reason}`, about])}
        />
        <p>
          A robot is known by its user agent: by our own list of the agents of AI products, by the lists{" "}
          <Term>isbot</Term> and <Term>crawler-user-agents</Term>, and by a list of search engines. It comes for one of
          these purposes:
        </p>
        <Glossary rows={Object.entries(PURPOSES)} />
        <p>
          Where an operator publishes the addresses of its crawlers, a visit is <Term>verified</Term> or{" "}
          <Term>spoofed</Term> by them; elsewhere it is <Term>claimed</Term>. A spoofed visit keeps the class of the
          robot it names, because lists of addresses age. Known here are the addresses of:
        </p>
        <Glossary rows={RANGES.map(({ agents, source, date }) => [agents.join(", "), `${source}, as of ${date}`])} />
        <p>
          Headers and pace count only when a page&rsquo;s own browser sends them: of a backend that passes its
          visitor&rsquo;s user agent on, neither its headers nor its address are taken for the visitor&rsquo;s. When the
          lists change, what was stored before is decided anew from the names of robots and referrers; what only the
          request itself told stays as it was decided then.
        </p>
        <p>
          A person who follows a link of an AI assistant is a person: their channel is <Term>AI assistants</Term>, by
          the referrer or by <Term>utm_source</Term>.
        </p>
      </Part>
      <Part id="channels" title="Channels">
        <p>
          How a visit was led here, by the default channel grouping of Google Analytics, with click ids and AI
          assistants besides. The first rule that fits decides, and its name is kept with the visit; a click id is
          looked at and not kept.
        </p>
        <Glossary
          rows={[...CHANNEL_RULES, DIRECT].map(({ id, channel, when }) => [id, `${channel}: ${when}.`] as const)}
        />
      </Part>
      <Part id="places" title="Places">
        <p>
          Country (its ISO code), region and city are looked up in a database of networks that lies beside the service;
          the address asks nobody else and is not stored. They belong to the visit, and a site chooses how exactly they
          are kept. A city is a guess of the network&rsquo;s owner, so expect neighbours.
        </p>
        <p>
          The database that comes along:{" "}
          <a href="https://db-ip.com/" className="text-accent underline">
            IP Geolocation by DB-IP
          </a>
          .
        </p>
      </Part>
      <Part id="scrubbed" title="Personal data">
        <p>
          In paths, titles, referrers, campaigns, names of events and properties these are replaced before anything is
          stored, and the site&rsquo;s owner sees how many there were:
        </p>
        <Glossary rows={Object.entries(SCRUBBED).map(([kind, about]) => [`(${kind})`, `in place of ${about}`])} />
      </Part>
    </DocsPage>
  );
}
