import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { db } from "@/lib/platform/db";
import type { Internet } from "@/lib/platform/outbound/outbound";
import type { DnsServer } from "@/lib/testing/dns";
import { type HttpsServer, startHttps, testAuthority } from "@/lib/testing/https";
import { serversForTests } from "@/lib/testing/internet";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** A site with a web server of its own on loopback, and the Internet in which its domain leads there. */
export interface PagedSite extends TestSite {
  server: HttpsServer;
  internet: Internet & { dnsServers: string[] };
}

/**
 * Gives the tests of a file sites with pages. Loopback is open to them by their argument alone, as an intranet is by
 * configuration. Call it at the top of the file.
 */
export function pagesForTests() {
  const { dns, stops } = serversForTests();

  /** @param page what the server answers, given the site's domain once it is known. */
  async function paged(page: RequestListener | ((host: string) => string), certificate?: string): Promise<PagedSite> {
    const site = await makeSite();
    const host = `${randomUUID()}.proof.example`;
    await db().siteDomain.updateMany({ where: { siteId: site.id }, data: { host } });
    const answer: RequestListener = (request, response) => {
      if (page.length > 1) return void (page as RequestListener)(request, response);
      response.setHeader("content-type", "text/html").end((page as (host: string) => string)(host));
    };
    const server = await startHttps(answer, certificate ? { certificate } : {});
    stops.push(server.stop);
    dns().set(host, { A: ["127.0.0.1"] });
    const internet = {
      dnsServers: [dns().address],
      ca: testAuthority(),
      port: server.port,
      privateRanges: ["127.0.0.1"],
    };
    return { ...site, host, server, internet };
  }
  return { paged, set: (...given: Parameters<DnsServer["set"]>) => dns().set(...given), stops };
}
