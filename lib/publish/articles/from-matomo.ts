import { type Article, code, part, steps, terms } from "@/lib/publish/articles/article";
import { numbersBeside, TEST_IT } from "@/lib/publish/articles/numbers-of-others";

const tag = (base: string): string => `<script defer data-domain="example.com" src="${base}/script.full.js"></script>`;
const CALLS = `_paq.push(["trackEvent", "Menu", "Freedom", "page 1"]);               // before
footfall("Freedom", { props: { category: "Menu", name: "page 1" } }); // after`;

export const fromMatomo = (base: string): Article => ({
  slug: "from-matomo",
  title: "Coming from Matomo",
  lead: "Replace the tag and the calls of `_paq`. The history of Matomo cannot be imported yet.",
  index: "move from Matomo: tag, events, goals; which numbers differ",
  parts: [
    part(
      "change",
      "What to change",
      steps(
        "Replace Matomo's tag by ours. Clients of `matomo.php` are not read here.",
        "Replace `trackEvent`, `trackGoal` and `trackSiteSearch` by `footfall(…)`; searches and downloads are counted by themselves.",
        "Send orders with [Orders and revenue](/docs/events-api#orders) in place of `trackEcommerceOrder`.",
        "Keep your Matomo for its history: its exports cannot be imported yet.",
      ),
      code("the tag", tag(base), "html"),
      code("an event", CALLS, "js"),
      TEST_IT,
    ),
    part(
      "stays",
      "What has the same meaning",
      terms([
        ["setUserId", '`data-user` on the tag, or `footfall("identify", { user_id })`. Stored only as a hash.'],
        ["Custom dimensions", "Properties of events; reports filter and group by each."],
        ["Campaigns", "`utm_…` parameters. `mtm_…` and `pk_…` are not read: rename them."],
        ["Goals and funnels", "Settings, Goals. They count past events too."],
        ["Opt-out", "`footfall.optOut()`, or `?footfall=ignore` in the address."],
        ["Annotations, segments, dashboards", "The same words here."],
      ]),
    ),
    numbersBeside("Matomo", [
      {
        metric: "visitors",
        theirs: "“unique visitors”, by a cookie or, without one, by a fingerprint of at most 24 hours.",
        so: "One day is the same as with Matomo without cookies. Sums of days are higher than with cookies.",
      },
      {
        metric: "visits",
        theirs: "30 minutes without activity, and a new visit at midnight and with each new campaign.",
        so: "Lower here: a visit goes on over midnight and keeps its first source.",
      },
      {
        metric: "bounce_rate",
        theirs: "visits with one action.",
        so: "Similar. In Matomo a download or an outbound link ends a bounce; here they do too, with the full tracker.",
      },
      {
        metric: "visit_duration",
        theirs: "from the first action to the last; 0 for one action, unless heartbeats are on.",
        so: "Longer here, because the last page counts for as long as it was read.",
      },
      {
        metric: "time_on_page",
        theirs: "until the next action.",
        so: "Ours is the time in which the page was visible, so it is lower.",
      },
    ]),
  ],
});
