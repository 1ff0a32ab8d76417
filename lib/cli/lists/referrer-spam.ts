import type { ListSource } from "@/lib/cli/lists/list-source";

/** Domains known for referrer spam, one a line. */
export const referrerSpam: ListSource = {
  name: "referrer-spam",
  download: "spammers.txt",
  source: "https://github.com/matomo-org/referrer-spam-list/blob/master/spammers.txt",
  licence: "CC0-1.0",
  convert(text) {
    const hosts = text.split(/\r?\n/).flatMap((line) => line.trim().toLowerCase() || []);
    const wrong = hosts.find((host) => !/^[^\s/:<>]+\.[^\s/:<>]+$/.test(host));
    if (wrong !== undefined) throw new Error(`expected one domain a line, found “${wrong.slice(0, 50)}”`);
    return hosts.map((host) => new URL(`http://${host}`).hostname);
  },
};
