/** A list that others keep, and how a download of it becomes `lib/ingest/enrich/data/<name>.json`. */
export interface ListSource {
  /** The data file's name without `.json`. */
  name: string;
  /** The file name in the folder of downloads, or, ending in `/`, a folder whose files are converted one by one. */
  download: string;
  /** Where to download it: a URL, or an npm package. */
  source: string;
  /** SPDX identifier of the list's licence, which must allow it to be distributed under MIT; else see NOTICE. */
  licence: string;
  /**
   * Returns the entries of a download, as plain JSON, in any order: they are sorted and deduplicated.
   * @throws Error with what was expected, when the text is not in the list's format.
   */
  convert(text: string, file: string): readonly ListEntry[];
}

/** An entry is a text, or an object of texts. */
export type ListEntry = string | { readonly [field: string]: string | number | readonly string[] };
