/** How tables are written for spreadsheets (RFC 4180). */

/** Excel takes a file for Windows' own letters unless it begins with this. */
export const BYTE_ORDER_MARK = "\ufeff";

/** Spreadsheets take what begins like this for a formula, and would run what a visitor wrote. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** A text as a field, in quotes and never a formula. */
export const csvText = (text: string): string => `"${text.replace(FORMULA, "'$&").replaceAll('"', '""')}"`;
