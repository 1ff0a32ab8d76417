// Plain JavaScript, because next.config.mjs imports it as well and no compiler runs before that.

/**
 * Returns the Content-Security-Policy of a page. Pages load nothing from other hosts.
 *
 * @param {{ scripts: string[], framedBy: "*" | "'none'", dev: boolean }} options
 *   `scripts`: CSP sources of scripts besides our own files; `framedBy`: who may frame the page; `dev`: React needs
 *   `eval` for its debugging information in development.
 * @returns {string}
 */
export function contentSecurityPolicy({ scripts, framedBy, dev }) {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts, ...(dev ? ["'unsafe-eval'"] : [])].join(" "),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
  ].join("; ");
}
