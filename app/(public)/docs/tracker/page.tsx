import type { Metadata } from "next";
import { Code } from "@/components/docs/code";
import { PLACEHOLDER_ORIGIN } from "@/components/docs/origin";
import { Glossary } from "@/components/docs/parameters";
import { DocsPage, Part, Term } from "@/components/docs/prose";
import { SentFields } from "@/components/docs/sent-fields";
import { guidesFor } from "@/components/reports/guides";
import { SnippetTabs } from "@/components/reports/snippet-tabs";

export const metadata: Metadata = { title: "Tracker" };

const ATTRIBUTES: [string, string][] = [
  ["data-domain", "The domain of the site, as you added it. Needed."],
  ["data-hash", "Routes stand behind the #, and count as pages."],
  ["data-manual", 'Nothing is counted by itself; call `footfall("pageview")` for each page.'],
  ["data-user", "Your own pseudonymous id of the person who is signed in, where the page knows it when it is made."],
  ["data-api", "Another address to send events to, such as one of your own that passes them on."],
];

const AUTOMATIC: [string, string][] = [
  ["Outbound Link: Click", "A link to another site, with its `url` up to the question mark. Off: `links`."],
  ["File Download", "A link to a file, with its `url`. Off: `links`."],
  ["Form: Submission", "A valid form was sent, with its id or name as `form`. Off: `forms`."],
  ["404", "The page has an element with `data-404`; the tag itself may carry it. Does not end a bounce. Off: `404`."],
  ["Search", "The address has a new `q`, `s`, `search` or `query`, as `term`. Off: `search`."],
  ["vitals", "LCP, INP, CLS, FCP and TTFB of each page, told when it is hidden. Off: `vitals`."],
];

const FULL_ATTRIBUTES: [string, string][] = [
  ["data-off", "What to leave out, with spaces between: `forms vitals`."],
  ["data-search", "The query parameters of your search, with spaces between, in the place of those four."],
];

const TAGGED = `<button data-footfall-event="Plan chosen" data-footfall-plan="pro">Choose</button>

<button data-footfall-event="Bought" data-footfall-revenue="49.00" data-footfall-currency="EUR">Buy</button>`;

const EXPERIMENT = `footfall.exposure("checkout", "b");`;

const MODULE = (base: string) => `import { start } from "${base}/footfall.mjs";

const footfall = start({ domain: "example.com", api: "${base}/api/event" });
footfall("Signup");`;

const EVENT = `footfall("Signup", { props: { plan: "pro" } });

footfall("Purchase", { revenue: { amount: "49.00", currency: "EUR" } });`;

const IDENTIFY = `footfall("identify", { user_id: "u-1042" });`;

const HINTS = (base: string) => `Accept-CH: Sec-CH-UA-Platform-Version
Permissions-Policy: ch-ua-platform-version=(self "${base}")`;

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
        <SnippetTabs guides={guidesFor(PLACEHOLDER_ORIGIN, "example.com")} />
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
      <Part id="people" title="People who are signed in">
        <p>
          Name who is signed in by an id of your own, which is no address or name of theirs. It is stored only as a
          pseudonym that no other site has, and lets them be known again on another day or device.
        </p>
        <Code text={IDENTIFY} what="the identification" />
        <p>
          From then on everything that this page sends bears the id, until <Term>{"{ user_id: null }"}</Term> with any
          event takes it back. The browser remembers nothing of it, so every page has to say it again: by this call, or
          by <Term>data-user</Term> in the tag, which names the first pageview too. The visit that is running goes on,
          and <Term>identify</Term> itself counts as nothing.
        </p>
      </Part>
      <Part id="full" title="The full tracker">
        <p>
          With <Term>script.full.js</Term> in the place of <Term>script.js</Term> the same tag also notices, and counts
          under these names:
        </p>
        <Glossary rows={AUTOMATIC} />
        <p>
          Web vitals cover the whole life of a page. They are told whenever it is hidden, with the same{" "}
          <Term>view</Term> each time, and reports take the last of each view: percentiles are over views of pages.
        </p>
        <p>
          Both trackers send events when the page is closed, too. As long as it is open, what happens offline is sent
          when the network is back, and what the server was too busy for once more after its Retry-After. An{" "}
          <Term>event_id</Term> of its own keeps an event that is sent again from being counted twice; ids of this kind
          are remembered for eight days, and a page waits for less than seven.
        </p>
        <Glossary rows={FULL_ATTRIBUTES} />
        <p>Elements of your own choice, links and forms included, become events by an attribute:</p>
        <Code text={TAGGED} what="the tagged elements" />
        <p>Tell which variant of an experiment a visitor was shown:</p>
        <Code text={EXPERIMENT} what="the exposure" />
      </Part>
      <Part id="module" title="As a module">
        <p>
          The full tracker without a tag, with its types in <Term>footfall.d.mts</Term> beside it. Copy both into your
          project, or import it from here:
        </p>
        <Code text={MODULE(PLACEHOLDER_ORIGIN)} what="the module" />
      </Part>
      <Part id="sent" title="What is sent">
        <p>
          All of it, field by field, and what the trackers of Plausible and Umami send. Our column is what a test reads
          off a real page&rsquo;s requests.
        </p>
        <SentFields />
      </Part>
      <Part id="hints" title="Versions of operating systems">
        <p>
          Chromium browsers no longer tell the version of their system in the user agent: Windows 11 passes for 10, and
          every Mac and Android for the same old one. They tell it where the site asks. Let your pages, served over
          HTTPS, answer with these headers; where the script comes from your own domain, the first is enough.
        </p>
        <Code text={HINTS(PLACEHOLDER_ORIGIN)} what="the headers" />
        <p>
          Nothing else is worth asking for: brand, main version and platform come by themselves, and finer versions of
          browsers are not kept.
        </p>
      </Part>
      <Part id="opt-out" title="Leave yourself out">
        <p>
          Open a page of the site with <Term>?footfall=ignore</Term> once per browser: what you do there is then left
          out, and counted as your own under Exclusions. <Term>?footfall=count</Term> takes it back.
        </p>
        <p>
          To send nothing at all, run <Term>footfall.optOut()</Term> in the console of a page, once per browser;{" "}
          <Term>footfall.optIn()</Term> takes it back.
        </p>
      </Part>
    </DocsPage>
  );
}
