/** Writes CSV for spreadsheets (RFC 4180). */

/** Without it, Excel reads a file in the Windows code page instead of UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/**
 * Spreadsheets run a field that begins like this as a formula, which a visitor may have written. Apostrophes before it get
 * one more, so that the text can be read back.
 */
const FORMULA = /^'*[=+\-@\t\r\n]/;
const ESCAPED_FORMULA = /^'(?='*[=+\-@\t\r\n])/;

/** Returns a text as a quoted CSV field that spreadsheets never run as a formula. */
export const csvText = (text: string): string => `"${text.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;

/** Returns the text of a parsed field that `csvText` wrote. */
export const textOfCsv = (field: string): string => field.replace(ESCAPED_FORMULA, "");
