import type { Metadata } from "next";
import { Glossary } from "@/components/docs/parameters";
import { Anchor, DocsPage, Part, Term } from "@/components/docs/prose";
import { METRICS, TRAFFIC } from "@/lib/contract/vocabulary";
import { CHANNEL_RULES, DIRECT } from "@/lib/ingest/channels";
import { SCRUBBED } from "@/lib/ingest/scrub";

export const metadata: Metadata = { title: "Metrics" };

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
      <Part id="traffic" title="Traffic">
        <p>
          Nothing is thrown away: each event is kept with its class, and <Term>traffic</Term> chooses which are counted.
        </p>
        <Glossary rows={Object.entries(TRAFFIC)} />
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
