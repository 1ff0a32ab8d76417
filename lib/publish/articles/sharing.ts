import { ROLES } from "@/lib/contract/vocabulary";
import { type Article, part, steps, terms, text } from "@/lib/publish/articles/article";

const WAYS: [string, string][] = [
  ["a colleague with an account", "Invite them: they see every report, and their role says what they can change."],
  ["everyone", "Turn on the public dashboard: numbers and lists, without reports, settings and names of members."],
  ["a page of yours", "Embed the public dashboard as a frame."],
  ["a spreadsheet", "Each report has CSV and JSON, with the period and filters that you see."],
  ["your inbox", "Weekly and monthly numbers by email, under Account."],
  ["an agent", "It asks for a token, and you choose sites and rights: [Agents](/docs/agents)."],
];

export const sharing = (_base: string): Article => ({
  slug: "sharing",
  title: "Sharing",
  lead: "Show numbers to colleagues, customers or everyone, and decide what they see.",
  index: "for owners: members and roles, public dashboards, embedding, downloads, email reports",
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
      "public",
      "Public dashboard",
      text(
        "Under Settings, General. Its address is `/share/` and your domain. Anyone who knows or guesses it can open it; search engines are asked not to list it. It shows visitors, sources, pages, locations and devices, over time and filtered by whole values. Campaign parameters, properties and event names stay private.",
      ),
      text(
        "The settings have a line of HTML that embeds it in a page. `theme=light` or `theme=dark` in its address chooses its colours. Turning the switch off closes it at once.",
      ),
    ),
  ],
});
