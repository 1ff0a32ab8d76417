import { ROLES } from "@/lib/contract/access";
import { type Article, code, part, steps, terms, text } from "@/lib/publish/articles/article";

const LIMITS: [string, string][] = [
  [
    "What it shows",
    "The dashboard, or some of its panels, and reports. Readers can filter by whole values of what the dashboard lists, and a report of campaigns, commerce, AI traffic or web vitals also by its own sources, tags, agents, devices, browsers and countries; other rows lead nowhere. Realtime, Explore and a single funnel are never shared.",
  ],
  [
    "What it leaves out",
    "A shared dashboard has no conversions and goals, no revenue and orders unless you choose “Show revenue”, and no lists of campaigns, events, languages, screens and hosts. Reports have them where they are about them: Campaigns and Commerce show money, and say which visit it is given to. SEO comes without search queries, What changed without annotations, incidents and alerts.",
  ],
  [
    "Visitors",
    "All, or those of one saved segment. Its filters always apply. While a link shows a segment, its filters cannot be changed and it cannot be deleted.",
  ],
  [
    "Period",
    "Any, a rolling one such as the last 28 days, or fixed days. Then nothing is compared with days outside of it, and who visits the site now is not shown.",
  ],
  [
    "Password",
    "At least 12 characters. A browser stays open for a day after it was entered. People set it, in the settings; agents cannot.",
  ],
  ["Expires", "After a number of days, or never."],
];

const WAYS: [string, string][] = [
  ["a colleague with an account", "Invite them: they see every report, and their role says what they can change."],
  ["a colleague or client with several of your sites", "Make a team: one invitation, and one role on all its sites."],
  ["a customer, or a colleague without an account", "Make a private link, with a password or an end if you like."],
  ["everyone", "Turn on the public dashboard: numbers and lists, without reports, settings and names of members."],
  ["a page of yours", "Embed the public dashboard or a private link as a frame."],
  ["a spreadsheet", "Each report has CSV, PDF and JSON, with the period and filters that you see."],
  ["your inbox", "Daily, weekly or monthly numbers by email, in the settings of the site."],
  ["an agent", "It asks for a token, and you choose sites and rights: [Agents](/docs/agents)."],
];

export const sharingArticle = (base: string): Article => ({
  slug: "sharing",
  title: "Sharing",
  lead: "Show numbers to colleagues, customers or everyone, and decide what they see.",
  index: "members and roles, teams, private links, public dashboards, frames, a domain for sharing",
  parts: [
    part("ways", "Who should see what", terms(WAYS)),
    part(
      "people",
      "Invite people",
      steps(
        "Open the settings of the site, then People.",
        "Enter an email address and choose a role. The invitation is a link; without a mail server you pass it on yourself.",
        "Change or remove members there at any time. It takes effect at once.",
      ),
      terms(Object.entries(ROLES).map(([role, { about }]) => [role, `A ${role} ${about}.`.replace(/^A (?=o)/, "An ")])),
    ),
    part(
      "teams",
      "Teams",
      text(
        "A team is people who share sites: an agency with its client, or a company with several domains. A role in a team holds on all its sites, with the words of above. A site is in one team at most. Who is a member of a site and of its team has the higher one of both roles.",
      ),
      steps(
        "Open Teams, make one and give it a name. You are its owner.",
        "Add sites that you own. Owners of the team become owners of them, so add only sites that they may delete.",
        "Invite people once. Change or remove them there: all sites of the team follow at once, with the agents, email reports and open approvals of who leaves. Private links stay, because nobody knows who has one: revoke those that should end.",
      ),
      text(
        "Taking a site out ends what its team gave, and you stay its owner. The last owner of a team cannot leave it. Each change needs a fresh sign-in, is in the log of each site, and its owners get an email. Agents use `teams.*` and `sites.team.set` with the scope `teams:write`, when your consent names every site of the team and a person approves.",
      ),
    ),
    part(
      "links",
      "Private links",
      text(
        "“Share this view” on the dashboard or a report makes a link to what you see, for 90 days: its period, its report or panels, and its filters, which readers cannot remove. A chosen goal goes along with What changed, which lists conversions by event; other reports are shared with conversions of any goal, as the dialog says. It says what the link leaves out before it is made. Links with more choices are made in Settings, Sharing, or with `sites.links.create` as an agent, which a person must approve. The address has a secret of 256 bits: whoever has it sees what the link shows. The list says when its pages were last opened and how often, not by whom. A revoked link shows nothing from the next request on.",
      ),
      terms(LIMITS),
      text(
        "The pages are not indexed, not cached by others, and leave no address in the `Referer` of links. The secret is stored as a digest and encrypted, so that members of the site who manage it can copy the address again; agents get it once.",
      ),
    ),
    part(
      "frames",
      "Frames",
      text(
        "Turn on “For frames on other sites” and copy the embed code. The script makes the frame as high as its content, and does nothing else; without it, the frame keeps the height that you set. `theme=light` or `theme=dark` in the address sets the colours; without it they follow the reader's system. A link with a password cannot be framed.",
      ),
      code(
        "the embed code",
        `<iframe src="${base}/embed/SECRET?theme=light" title="Visitors" loading="lazy" style="width:100%;height:1600px;border:0"></iframe>\n<script async src="${base}/embed.js"></script>`,
        "html",
      ),
    ),
    part(
      "public",
      "Public dashboards",
      text(
        "Settings, General makes the dashboard of a site public at an address with its domain. It shows visitors, sources, pages, locations and devices. “Counted by Footfall” below it can be turned off there, and for each link when it is created.",
      ),
    ),
    part(
      "domain",
      "A domain for sharing",
      text(
        "A public name in `ALLOWED_HOSTS`, such as `share.example.com`, serves shared dashboards and links, the docs and the start page, and no page that needs an account. Links work under each host; Settings, Sharing copies them with the one that you choose.",
      ),
    ),
    part(
      "languages",
      "Languages",
      text(
        "Pages are in English, German or Spanish: in the language of the reader's browser, or in the one that they choose at the end of a page or in the account menu. The choice is kept with the account, and emails are written in it; an address without an account gets those in the language of who added it. The API, its errors and these docs are in English.",
      ),
    ),
  ],
});
