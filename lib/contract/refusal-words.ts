import { translatorOf } from "@/lib/texts/known-texts";
import { msg } from "@/lib/texts/translate";

/** Why imports fail, in the reader's language: runs are stored with English sentences. */

/** Sentences of refused imports, one a line, as the modules that read files say them. */
export const REFUSALS = [
  msg("The import did not finish. Start it again, or import the files in smaller parts."),
  msg("The Google account was disconnected before all days were fetched."),
  msg("It was not started within a day, so its files were deleted. Upload them again."),
  msg("The upload contains no files."),
  msg("None of the files is known."),
  msg("Expected one of:"),
  msg("And {count} more files."),
  msg("Nothing was imported: {refused} of {count} files cannot be read."),
  msg("{name} is a Parquet file, which only exports of Footfall can be. Choose CSV or JSON files."),
  msg("{name} occurs twice. Choose each file only once."),
  msg("{name} unpacks to more than {size} MiB. Import it in parts, such as a year at a time."),
  msg("{name} is not on the server any more. Upload it again."),
  msg("{name} is an archive within an archive. Unpack it first."),
  msg("{name} is not in {encoding}. Open it in an editor and save it as UTF-8."),
  msg("{name} is damaged ({fault}). Download it again."),
  msg("{name} is encrypted. Unpack it with its password, and choose the files inside."),
  msg("{name} is packed in a way that is not supported. Unpack it, and choose the files inside."),
  msg("{name} has no visits from {from} to {to}. Choose other days or another property."),
  msg("Google Analytics has more than 1 GiB for these days. Import fewer days at once."),
  msg("The files have both single events and daily sums, which would count twice. Import only one of the two."),
  msg("The files have both single events and counts of them. Import only one of the two exports."),
  msg("The files contain events of {count} websites. Import only the rows of one website."),
  msg("{count} events occur more than once, by their ids. Import each event only once."),
  msg("{name} has events that another file has too. Import each event only once."),
  msg("{first} and {second} count the same. Import only one of them."),
  msg("The files have no data from before the site's own first event."),
  msg("The files have no events."),
  msg("Expected: {expected}"),
  msg("{name}: it occurs twice."),
];

const known = translatorOf(REFUSALS);

/** Returns why an import failed in the reader's language. Lines that are not known here stay English. */
export const refusalInWords = (problem: string): string => problem.split("\n").map(known).join("\n");
