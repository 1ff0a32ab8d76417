import { type Article, code, part, terms, text } from "@/lib/publish/articles/article";

const LIMITS: [string, string][] = [
  [
    "What it shows",
    "The dashboard, or some of its panels, and reports. Readers can filter by whole values of what is listed, and by nothing else. Realtime and Explore are never shared.",
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

export const sharing = (base: string): Article => ({
  slug: "sharing",
  title: "Sharing",
  lead: "Show numbers to people without an account: in public, by a private link, or in a page of yours.",
  index: "public dashboards, private links with limits, frames, and a domain for sharing",
  parts: [
    part(
      "links",
      "Private links",
      text(
        "Create them in Settings, Sharing, or with `sites.links.create` as an agent, which a person must approve. The address has a secret of 256 bits: whoever has it sees what the link shows. The list says when its pages were last opened and how often, not by whom. A revoked link shows nothing from the next request on.",
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
  ],
});
