import { eachOf, translatorOf } from "@/lib/texts/known-texts";
import { msg } from "@/lib/texts/translate";

/** What imports say of skipped files and rows, in the reader's language: runs are stored with English sentences. */

/** Why files and rows are skipped, or what they lack, as the modules of the services say it. */
export const SKIP_REASONS = [
  msg("it is empty"),
  msg("robots"),
  msg("it has no {metrics}; unknown for its days"),
  msg("it has no unique completions, which lists need"),
  msg("it has no visits, which lists need"),
  msg("the services that the totals came from are not kept: all are removed together"),
  msg("totals of the whole range"),
  msg("events that Google Analytics records automatically"),
  msg(
    "GoatCounter counts a visitor and a visit once for each page of a session, so these are more than ours; repeated pageviews are not counted, bounces and durations unknown",
  ),
  msg("names of places are known here"),
  msg("languages are not in daily sums"),
  msg("screen sizes are not in daily sums"),
  msg("Matomo has no data in it"),
  msg("Footfall stores no such sums"),
  msg("titles of pages are not stored; Actions.getPageUrls has the pages"),
  msg("versions are not stored; DevicesDetection.getBrowsers and getOsFamilies have the names"),
  msg("keywords of searches are not stored; Referrers.getSearchEngines has the search engines"),
  msg("categories and names of events are not stored; Events.getAction has the events"),
  msg("conversions of goals cannot be stored in daily sums"),
  msg(
    "it names searches by their keywords; Referrers.getWebsites, getSearchEngines, getSocials and getCampaigns have the sources",
  ),
  msg("sums of other rows"),
  msg("sums of values that Matomo does not name"),
  msg("it has actions, which are not pageviews; these are unknown unless Actions.get is imported with it"),
  msg("bounces are computed from the rounded rate"),
  msg("bounces are unknown"),
  msg("durations are computed from the rounded average"),
  msg("durations are unknown"),
  msg("of visits, goals and orders are not imported"),
  msg("event properties cannot be stored in daily sums"),
  msg("session properties cannot be stored in daily sums"),
  msg("engagement, which is how long pages were read, not an event"),
  msg("regions are skipped, because {service} only has codes for them, such as US-CA"),
  msg("cities are skipped, because Plausible only has GeoNames numbers for them"),
  msg("it does not tell how long visits last, nor how many have one page; unknown for its days"),
  msg("metadata cannot be stored in daily sums"),
  msg("clicks on short links, which are not visits of the website"),
  msg("pixel loads, which are not visits of the website"),
  msg("web vitals, which cannot be stored in daily sums"),
];

const reasonInWords = eachOf(translatorOf(SKIP_REASONS, { metrics: translatorOf([msg("{first} and no {second}")]) }));

/** Returns a note of an import in the reader's language. Names of files, hosts and columns stay as they are. */
export const noteInWords = translatorOf(
  [
    msg("{count} events are of pages on {hosts}, which no domain of this site has. They are imported too."),
    msg(
      "The site has events on {days} of these days. Equal ones are not added again, the others are added beside them: what both services counted at the same time counts twice.",
    ),
    msg("{added} events were added, {stored} were stored already."),
    msg("{part} of {all} reports are samples: Google did not count all events."),
    msg("{part} of {all} reports lack rows of few users, which Google withholds."),
    msg("{part} of {all} reports have rare values in one row (other)."),
    msg("Its days are those of {zone}, and the site's those of {timezone}."),
    msg("{file}: {count} rows skipped: {reason}."),
    msg("{file} is skipped: {reason}."),
    msg("{file}: {reason}."),
  ],
  { reason: reasonInWords, hosts: translatorOf([msg("{hosts} and others")]) },
);
