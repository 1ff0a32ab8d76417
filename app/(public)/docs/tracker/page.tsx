import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { Glossary } from "@/components/docs/parameters";
import { DocsPage, Part, Term } from "@/components/docs/prose";
import { guidesFor } from "@/components/reports/guides";
import { SnippetTabs } from "@/components/reports/snippet-tabs";
import { env } from "@/lib/env";

export const metadata: Metadata = { title: "Tracker" };

const ATTRIBUTES: [string, string][] = [
  ["data-domain", "The domain of the site, as you added it. Needed."],
  ["data-hash", "Routes stand behind the #, and count as pages."],
  ["data-manual", 'Nothing is counted by itself; call `footfall("pageview")` for each page.'],
  ["data-api", "Another address to send events to, such as one of your own that passes them on."],
];

const EVENT = `footfall("Signup", { props: { plan: "pro" } });

footfall("Purchase", { revenue: { amount: "49.00", currency: "EUR" } });`;

const EARLY = `<script>
  window.footfall = window.footfall || function () { (footfall.q = footfall.q || []).push(arguments) };
</script>`;

export default function TrackerDocs() {
  return (
    <DocsPage
      title="Tracker"
      lead="One line counts the pages of a site. It sets no cookie and stores nothing on the device of a visitor."
    >
      <Part id="install" title="Install">
        <p>Add the site, then put this into its pages, with your domain in the place of example.com.</p>
        <SnippetTabs guides={guidesFor(env().BASE_URL, "example.com")} />
        <p>Open a page of the site. The first event is on the dashboard within seconds.</p>
      </Part>
      <Part id="options" title="Options">
        <p>Attributes of the tag:</p>
        <Glossary rows={ATTRIBUTES} />
      </Part>
      <Part id="events" title="Events of your own">
        <p>
          <Term>footfall</Term> takes a name and details. An event ends a bounce; with <Term>interactive: false</Term>{" "}
          it does not.
        </p>
        <Code text={EVENT} what="the events" />
        <p>To call it before the script has arrived, put this before the tag:</p>
        <Code text={EARLY} what="the queue" />
      </Part>
      <Part id="opt-out" title="Leave yourself out">
        <p>
          Run <Term>footfall.optOut()</Term> in the console of a page, once per browser; <Term>footfall.optIn()</Term>{" "}
          takes it back.
        </p>
      </Part>
    </DocsPage>
  );
}
