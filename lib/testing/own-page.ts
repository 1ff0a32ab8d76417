import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { db } from "@/lib/platform/db";
import type { DnsServer } from "@/lib/testing/dns";
import { type HostedServer, serversForTests } from "@/lib/testing/internet";
import { makeSite, type TestSite } from "@/lib/testing/world";

/** A site with its own web server on loopback, and the network settings that resolve its domain to it. */
export type PagedSite = TestSite & Pick<HostedServer, "server" | "internet">;

/**
 * Creates sites with pages for the tests of a file. The `privateRanges` argument allows loopback. Call it at the top of
 * the file.
 */
export function pagesForTests() {
  const { dns, stops, hosted } = serversForTests();

  /** Creates a site with a page. @param page a listener, or a function from the domain to HTML. */
  async function paged(page: RequestListener | ((host: string) => string), certificate?: string): Promise<PagedSite> {
    const site = await makeSite();
    const host = `${randomUUID()}.proof.example`;
    await db().siteDomain.updateMany({ where: { siteId: site.id }, data: { host } });
    const answer: RequestListener = (request, response) => {
      if (page.length > 1) return void (page as RequestListener)(request, response);
      response.setHeader("content-type", "text/html").end((page as (host: string) => string)(host));
    };
    const { server, internet } = await hosted(answer, { certificate, host });
    return { ...site, host, server, internet };
  }
  return { paged, set: (...given: Parameters<DnsServer["set"]>) => dns().set(...given), stops };
}
