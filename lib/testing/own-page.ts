import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { db } from "@/lib/platform/db";
import type { Internet } from "@/lib/platform/outbound/outbound";
import type { DnsServer } from "@/lib/testing/dns";
import { type HttpsServer, startHttps, testAuthority } from "@/lib/testing/https";
import { serversForTests } from "@/lib/testing/internet";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** A site with its own web server on loopback, and the network settings that resolve its domain to it. */
export interface PagedSite extends TestSite {
  server: HttpsServer;
  internet: Internet & { dnsServers: string[] };
}

/**
 * Creates sites with pages for the tests of a file. The `privateRanges` argument allows loopback. Call it at the top of
 * the file.
 */
export function pagesForTests() {
  const { dns, stops } = serversForTests();

  /** Creates a site with a page. @param page a listener, or a function from the domain to HTML. */
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
