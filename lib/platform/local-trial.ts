/**
 * Names of the machine that a browser runs on. A site with such a domain is a local trial: its pages are opened on the
 * machine of the server, so nobody else can visit, verify or test them.
 */
export const isThisMachine = (host: string): boolean =>
  host === "127.0.0.1" || /^(?:[a-z0-9_.-]+\.)?localhost$/.test(host);
