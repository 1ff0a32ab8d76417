import { type Article, part, steps, terms, text } from "@/lib/publish/articles/article";

const RULES: [string, string][] = [
  ["order", "Steps count in their order. Other pages in between do no harm."],
  ["window", "The time within which all steps must be done, counted from the first one."],
  ["once", "A visitor counts once a day, with the furthest step that they reached."],
  ["day", "They count on the day of their first step, even if the last one is later."],
];

export const funnelsArticle = (_base: string): Article => ({
  slug: "funnels",
  title: "Funnels",
  lead: "A funnel shows how many visitors take each step towards something, and where the others leave.",
  index: "for owners: how to build and read funnels",
  parts: [
    part(
      "build",
      "Build a funnel",
      steps(
        "Open Reports, Funnels.",
        "Add two or more steps. Each is a page, also with `*` and `**`, or an event.",
        "Look at the result. It changes with the period and with filters, so you can compare sources or devices.",
        "Save it with a name and a window. It then stands under Goals and funnels too, and dashboards can show it.",
      ),
    ),
    part("read", "How it counts", terms(RULES)),
    part(
      "next",
      "What to do with it",
      text(
        "Look at the largest loss first. Filter by device: a step that fails only on phones is a fault of that page. Filter by source: a campaign that brings visitors who leave at once promises something else than the page. Journeys show what visitors do instead.",
      ),
      text(
        "A step filters by the visitors who reached it on that day, and the number who dropped off by those who reached the step before and not this one: sources, devices and countries are then theirs, on every page until you remove the filter. Below it stands where they went instead, each as a filter, and “Paths of those who left” shows their whole visits.",
      ),
      text(
        "Visitors are recognised within a day, so that a step on a later day counts only for signed-in users whose id [every page sends](/docs/tracker#people).",
      ),
    ),
  ],
});
