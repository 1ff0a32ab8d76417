/** Writes CSV for spreadsheets (RFC 4180). */

/** Without it, Excel reads a file in the Windows code page instead of UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** Spreadsheets run a field that begins like this as a formula, which a visitor may have written. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** Returns a text as a quoted CSV field that spreadsheets never run as a formula. */
export const csvText = (text: string): string => `"${text.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;
