import { CONNECTION_SENTENCES } from "@/lib/contract/connection-words";
import { SKIP_REASONS } from "@/lib/contract/note-words";
import { eachOf, translatorOf } from "@/lib/texts/known-texts";
import { msg } from "@/lib/texts/translate";

/** Why imports fail, in the reader's language: runs are stored with English sentences. */

/** Sentences of refused imports, one a line, as the modules that read files say them. */
export const IMPORT_FAILURES = [
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
  msg("Expected: {reason}."),
  msg("{name}, line {line}: {reason}. Then import the file again. Data that was already imported is not added twice."),
  msg(
    "{name}, record {line}: {reason}. Then import the file again. Data that was already imported is not added twice.",
  ),
  msg("{name}: Line {line}: {reason}. Then import the file again. Data that was already imported is not added twice."),
  msg("Line {line}: {reason}. Then import the file again. Data that was already imported is not added twice."),
  msg(
    "{name}: The file is no export of Footfall: its first line lacks the columns {columns}. The rest of a continued download is appended to its beginning.",
  ),
  msg("{name}: A Parquet file must not be compressed as a whole: unpack it, then import it again."),
  msg(
    "{name} is no export of Footfall: it lacks the columns {columns}. Choose the export of all events under Settings, Data.",
  ),
  msg("{name} cannot be read as Parquet: {reason}. Download the export again, or export it as NDJSON or CSV."),
  msg("{name} is a Parquet file in an archive. Unpack it first, and choose the file itself: it is compressed already."),
  msg("{name} contains more than {count} files. Choose those of one site."),
  msg("{name} has a record of more than a million characters."),
  msg("{name} is cut off: its last bracket is missing. Download it again."),
  msg("{name} goes on behind its last bracket."),
  msg("{name} is no JSON: its brackets do not match."),
  msg("{name} is no JSON."),
  msg("{name} is nested more than {count} deep."),
  msg("{name} has {key} twice, whose records would count twice; keep one of them."),
  msg("{name} has values without names where records were expected."),
  msg("{name} has events of Footfall, and {other} has not ({columns}). Import them one after the other."),
  msg(
    "{name} has more than one row of totals for {day}. Remove the column that splits the day, or keep one row of each day or hour.",
  ),
  msg("{name} and {other} both have totals for {day}. Import only one of them."),
  msg("{name} and {other} both have sums by the same dimension for {day}. Import only one of them."),
  msg("The rows of {day} add up to more than can be stored. Check the numbers of that day."),
  msg(
    "The files have pageviews of {days} days without their visitors and visits, starting with {first}. Also import the file with these (Matomo: VisitsSummary.get).",
  ),
  msg(
    "The totals of {days} days are missing, starting with {first}. Also import the file without a dimension in the same import (Plausible: imported_visitors; Google Analytics: Date, Total users, Sessions and Views; Matomo: VisitsSummary.get; Fathom: Site.csv; Simple Analytics: the page views).",
  ),
  msg(
    "The events are of pages on {hosts}, which is no domain of this site. Choose the export of this site, or add the domain first under Settings, Domains.",
  ),
  msg(
    "An upload may have {count} events, and there are more. The operator of the server can import the file with npm run import.",
  ),
  msg(
    "There is an event of {day}. An upload may have events since {oldest}. The operator of the server can import the file with npm run import.",
  ),
  msg("Nothing was imported: {name} occurs twice. Import one export of GoatCounter at a time."),
  msg("Nothing was imported: the export of GoatCounter lacks {names}. Choose the zip as it was downloaded."),
];

/** Why a file, a column or a line cannot be read. Several are joined by semicolons. */
export const FILE_PROBLEMS = [
  msg("it occurs twice"),
  msg("unknown {columns}"),
  msg("missing {columns}"),
  msg("repeated {columns}"),
  msg("expected columns: {names}"),
  msg("choose the fields again when you export"),
  msg("a column occurs twice"),
  msg("{columns} are more than one dimension"),
  msg("{columns} split the rows further"),
  msg("export each dimension by itself"),
  msg("its columns are {names}"),
  msg("neither its name nor its {columns} are those of a file of a Plausible export"),
  msg("it has no column that only Fathom has, such as Uniques or Avg Duration"),
  msg("its rows are months"),
  msg('choose "Hourly" or "Daily" as its date grouping'),
  msg("it is no export of imported totals"),
  msg('days are numbered, but no comment line such as "# 20240201-20240430" contains the first date'),
  msg('export the column "Date" instead'),
  msg('export the column "Country ID" instead'),
  msg("the first date of its comment lines is wrong: {text}"),
  msg("an export of GoatCounter has no such file, but {names}"),
  msg("the version {version} of the export is unknown"),
  msg("expected 1.0"),
  msg("it is XML"),
  msg("export it as JSON or CSV"),
  msg("Matomo did not answer with a report: {text}"),
  msg("neither its rows nor its name tell which report it is"),
  msg("export it with its metadata, or name it after the report, such as DevicesDetection.getBrowsers.csv"),
  msg("its rows are split further"),
  msg("export this report without flat=1, which is for pages"),
  msg("export one site, with one idSite"),
  msg("its values have no names: export VisitsSummary.get"),
  msg("export the standard report, not the processed one"),
  msg("export the standard report of single days, which has unique visitors"),
  msg('"{text}" is not a single day'),
  msg("export it with period=day and date=2024-01-01,2024-12-31 (the first and last day)"),
  msg("or name the export of one day after it, such as report_2024-02-29.csv"),
  msg("neither its rows nor its name tell the day"),
  msg("its name has no day: {text}"),
  msg("its visits have no {names}"),
  msg("export Live.getLastVisitsDetails in JSON"),
  msg('"{label}" is a folder of pages'),
  msg('export the report flat (flat=1, or "Flat" in the export dialog)'),
  msg('"{label}" is not a known country name'),
  msg('"{label}" is not a known country'),
  msg('"{label}" is not a known type of referrer'),
  msg("export the report with its metadata"),
  msg("export the report flat and by day"),
  msg("export it without formatted metrics"),
  msg("fix or remove the line"),
  msg("a quote is not closed"),
  msg("close it"),
  msg("it is no JSON"),
  msg("there are more than {count} names"),
  msg("a second table starts here"),
  msg("save each table as a separate file"),
  msg("it has {count} fields, but the header has {columns_count}"),
  msg("it has {columns}, which is of another kind of file"),
  msg("it has more {field} than can be stored ({most})"),
  msg("{day} is in the future: today is {today} in {timezone}, the site's timezone"),
  msg("{text} is not a date, such as 2024-02-29"),
  msg("{text} is not a time, such as 2024-02-29 13:00:00"),
  msg("{name} is not a valid time: {text}"),
  msg("{name} is not a whole number: {text}"),
  msg("{name} is not a number of seconds: {text}"),
  msg("{name} is not a number: {text}"),
  msg("{name} is not a share: {text}"),
  msg("{name} is neither true nor false: {text}"),
  msg("{name} is not a dimension of imported totals"),
  msg("{name} is missing"),
  msg("{name} is empty"),
  msg("invalid day number: {text}"),
  msg("event_type {type} is unknown"),
  msg("expected 1 to 5"),
  msg("a pageview has no {name}"),
  msg("export that field too"),
  msg("Referrer scheme is none of h, g, c and o: {text}"),
  msg("it is incomplete, or the file is not an NDJSON export"),
  msg("export the events after the previous line again, or remove the line"),
  msg("visit_started: must be at most 31 days from its time"),
  msg("it is cut off"),
  msg("its footer is damaged"),
  msg("its footer describes too much"),
  msg("its footer has more than {count} MiB"),
  msg("its column {name} has the type {type}"),
  msg("a page of it needs more than {memory}"),
  msg("a row of it has more than {count} KiB of text"),
];

/** What is expected instead, by service. */
export const EXPECTED = [
  msg("the files of a Plausible export, such as imported_visitors_20240401_20240430.csv: {names}"),
  msg(
    "Umami's tables as CSV with a header: website_event ({events} and more) and session ({sessions} and more). Lists from its dashboard, with columns x and y, have no dates and cannot be imported",
  ),
  msg(
    "CSV files with a column Date or Nth day, Total users, and at most one dimension: page, landing page, session source, medium, campaign or channel group, country, region, city, device category, browser, operating system or event name. One file must have no dimension, with Sessions and Views. Headers can be in any language of Google Analytics, or use the names of the API",
  ),
  msg(
    "reports by day in JSON, CSV or TSV, from the Reporting API with period=day and date={range}, or exported from the interface: {names}. Or Live.getLastVisitsDetails in JSON alone. Headers can be in English, German, French or Spanish",
  ),
  msg(
    "CSV files of Fathom by hour or day: {files}, or exports of at most one dimension each ({names}) with all metrics. One file must have no dimension, with Pageviews and Visits",
  ),
  msg(
    "the data points of the export of Simple Analytics as CSV, with the fields added_iso, path, is_unique and more; events with added_iso and datapoint",
  ),
  msg(
    "the CSV of an export of GoatCounter, which begins with the column 2Path or 1Path, or all files of its JSON export, best as the zip",
  ),
  msg("its export of events as NDJSON, or as CSV with the row of column names; or of imported totals as CSV"),
  msg("its export of all events as NDJSON, CSV or Parquet"),
];

const COLUMNS = [msg("columns {names} and {count} more"), msg("columns {names}"), msg("column {names}")];

const SHOWN = { columns: translatorOf(COLUMNS) };
const REASON = { reason: eachOf(translatorOf([...FILE_PROBLEMS, ...EXPECTED, ...COLUMNS, ...SKIP_REASONS], SHOWN)) };
const LINES = [...IMPORT_FAILURES, ...Object.values(CONNECTION_SENTENCES), msg("{name}: {reason}.")];

const known = translatorOf(LINES, { ...SHOWN, ...REASON });

/** Returns why an import failed in the reader's language. Lines that are not known here stay English. */
export const importFailureInWords = (problem: string): string => problem.split("\n").map(known).join("\n");
