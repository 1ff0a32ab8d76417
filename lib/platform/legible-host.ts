import { domainToUnicode } from "node:url";

/** Returns a host for people to read: `xn--bcher-kva.example` as `bücher.example`. Server only. */
export const legibleHost = (host: string): string => domainToUnicode(host) || host;

/** How people know a site: its name, otherwise its domain. */
export const siteTitle = ({ name, domain }: { name: string | null; domain: string }): string =>
  name || legibleHost(domain);
