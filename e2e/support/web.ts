import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

/** The rest of the web: any site a story needs, each under its own host name. */
export interface Web {
  /** The address of a page, such as `http://shop.example:4711/about`. */
  at(host: string, path?: string): string;
  /** Puts a snippet into every page of a site, as its owner would. */
  install(host: string, snippet: string): void;
  /** Puts a page of its own at an address of a site; the snippet stands in its head. */
  put(host: string, path: string, body: string): void;
  stop(): Promise<void>;
}

const LINKED = { "/": "Home", "/products": "Products", "/about": "About us" };

const FILES: Record<string, string> = { ".pdf": "application/pdf" };

/** Serves three linked pages and a single-page application under every host name. */
export async function startWeb(): Promise<Web> {
  const snippets = new Map<string, string>();
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://here");
    const { hostname } = new URL(`http://${request.headers.host}`);
    const snippet = snippets.get(hostname) ?? "";
    const own = pages.get(hostname + pathname);
    response.setHeader("content-type", FILES[path.extname(pathname)] ?? "text/html; charset=utf-8");
    if (own !== undefined) response.end(page(pathname, snippet, own));
    else if (pathname.startsWith("/app")) response.end(application(snippet));
    else response.end(document(pathname, snippet, searchParams.get("to")));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    at: (host, path = "/") => `http://${host}:${port}${path}`,
    install: (host, snippet) => snippets.set(host, snippet),
    put: (host, at, body) => pages.set(host + at, body),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const page = (title: string, snippet: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${snippet}</head><body>${body}</body></html>`;

const link = (href: string, text: string) => `<a href="${href}">${text}</a> `;

/** `/twice` carries the snippet twice, `/early` calls it before it is there, `?to=` links to another site. */
function document(pathname: string, snippet: string, to: string | null): string {
  const links = Object.entries(LINKED).map(([href, text]) => link(href, text));
  const early = `<script>
    window.footfall = window.footfall || function () { (footfall.q = footfall.q || []).push(arguments) };
    footfall("Early", { props: { plan: "pro" } });
  </script>`;
  const scripts = pathname === "/twice" ? snippet + snippet : pathname === "/early" ? early + snippet : snippet;
  const title = LINKED[pathname as keyof typeof LINKED] ?? pathname;
  const tall = '<main style="height: 300vh">Something to read</main>';
  return page(title, scripts, links.join("") + (to ? link(to, "Read on") : "") + tall);
}

/** A router as they are: the title follows a little after the address. */
const application = (snippet: string) =>
  page(
    "Start",
    snippet,
    `<button onclick="go('/app/prices', 'Prices')">Prices</button>
     <button onclick="go('/app/contact', 'Contact')">Contact</button>
     <button onclick="go('/app/old', 'Old'); history.replaceState(null, '', '/app/new')">Moved</button>
     <button onclick="go('?tab=2', 'Start')">Tab</button>
     <a href="#part">Part</a>
     <script>
       function go(address, title) {
         history.pushState(null, "", address);
         requestAnimationFrame(() => { document.title = title });
       }
     </script>`,
  );
