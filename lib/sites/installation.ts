import { attributesOf, PAGES_ONLY, scriptOf, type TrackingOptions } from "@/lib/sites/tracking-options";
import { translatorOf } from "@/lib/texts/known-texts";
import { msg, t } from "@/lib/texts/translate";

/** Supported frameworks with their display names. */
export const FRAMEWORKS = {
  html: "HTML",
  laravel: "Laravel",
  react: "React",
  nextjs: "Next.js",
  vue: "Vue",
  wordpress: "WordPress",
  shopify: "Shopify",
  gtm: "Google Tag Manager",
} as const;
export type Framework = keyof typeof FRAMEWORKS;

export interface Installation {
  /** The tag in the syntax of the framework. */
  snippet: string;
  steps: string[];
  /** Files to change, with the snippet in its context. */
  code: { file: string; language: string; content: string }[];
  notes: string[];
}

/** The site that a guide is for. */
export interface TrackedSite {
  /** Public URL of this service. */
  baseUrl: string;
  /** The primary domain, in ASCII. */
  domain: string;
  /** The domain for people to read. */
  name: string;
}

/** The parts of the tag, and the plain HTML tag. */
interface Tag {
  /** The file of the script and its URL. */
  file: string;
  source: string;
  attributes: [name: string, value: string][];
  html: string;
  routes: string;
}

/** Returns the installation guide for a site, with the options in its code. Also runs in browsers. */
export function installationFor(
  framework: Framework,
  { baseUrl, domain, name }: TrackedSite,
  options: TrackingOptions = PAGES_ONLY,
): Installation {
  const file = scriptOf(options);
  const source = `${baseUrl}/${file}`;
  const attributes = attributesOf(domain, options);
  const html = `<script defer src="${source}" ${attributes.map(inHtml).join(" ")}></script>`;
  const guide = GUIDES[framework]({ file, source, attributes, html, routes: options.hash ? ROUTES : ROUTES_OR_HASH });
  return {
    ...guide,
    steps: [
      ...guide.steps,
      `Open a page of ${name} in a browser. The pageview appears on the dashboard within seconds.`,
    ],
    notes: [
      ...guide.notes,
      `Pages of ${name} and its subdomains are counted. To count pages on another domain, add it to the domains of the site.`,
      `If your site sends a Content-Security-Policy, allow ${new URL(baseUrl).origin} in script-src and connect-src.`,
    ],
  };
}

const ROUTES = msg("Client-side navigation is counted automatically.");
const ROUTES_OR_HASH = msg(
  "Client-side navigation is counted automatically. If your routes use the URL hash (#), add the attribute data-hash to the tag.",
);

const withValues = translatorOf([
  msg("Open a page of {name} in a browser. The pageview appears on the dashboard within seconds."),
  msg(
    "Pages of {name} and its subdomains are counted. To count pages on another domain, add it to the domains of the site.",
  ),
  msg("If your site sends a Content-Security-Policy, allow {origin} in script-src and connect-src."),
  msg("Nuxt has no index.html. In nuxt.config.ts, add {entry} to app.head.script."),
  msg(
    "Exclude {file} from optimisation plugins that combine or delay scripts, because it reads its settings from its own tag.",
  ),
]);

/** Returns a step or note of a guide in the reader's language: agents get them in English. */
export const guideInWords = (english: string): string => t(withValues(english));

const inHtml = ([name, value]: [string, string]) => (value === "" ? name : `${name}="${value}"`);
const inJsx = ([name, value]: [string, string]) => `${name}="${value}"`;

const GUIDES: Record<Framework, (tag: Tag) => Installation> = {
  html: ({ html }) => ({
    snippet: html,
    steps: [msg("Paste the snippet into the <head> of every page or of the shared template.")],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [],
  }),

  laravel: ({ html, routes }) => ({
    snippet: html,
    steps: [
      msg("Open the Blade layout that your pages share, usually resources/views/layouts/app.blade.php."),
      msg(
        "Paste the snippet into its <head>, between @production and @endproduction, so that local development is not counted.",
      ),
      msg("Deploy, and run php artisan view:clear if views are cached."),
    ],
    code: [
      {
        file: "resources/views/layouts/app.blade.php",
        language: "blade",
        content: head(`@production\n  ${html}\n@endproduction`),
      },
    ],
    notes: [
      msg(
        "With Inertia, the layout is resources/views/app.blade.php. With the Livewire starter kit, the head is resources/views/partials/head.blade.php.",
      ),
      routes,
    ],
  }),

  react: ({ html, routes }) => ({
    snippet: html,
    steps: [
      msg("Open index.html in the root of the project (Vite)."),
      msg("Paste the snippet into its <head>. No component or package is needed."),
      msg("Build and deploy."),
    ],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [
      msg("React Router in framework mode has no index.html. Add the tag to the <head> in app/root.tsx."),
      routes,
    ],
  }),

  nextjs: ({ source, attributes, routes }) => {
    const snippet = `<Script src="${source}" ${attributes.map(inJsx).join(" ")} />`;
    return {
      snippet,
      steps: [
        msg("Open app/layout.tsx, the root layout."),
        msg("Import Script from next/script and add the snippet at the end of <body>."),
        msg("Build and deploy."),
      ],
      code: [{ file: "app/layout.tsx", language: "tsx", content: nextLayout(snippet) }],
      notes: [
        msg("With the Pages Router, add it to pages/_app.tsx next to <Component />."),
        msg("With a nonce-based Content-Security-Policy, pass the nonce to Script."),
        routes,
      ],
    };
  },

  vue: ({ html, source, attributes, routes }) => ({
    snippet: html,
    steps: [
      msg("Open index.html in the root of the project (Vite)."),
      msg("Paste the snippet into its <head>. No plugin is needed."),
      msg("Build and deploy."),
    ],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [
      `Nuxt has no index.html. In nuxt.config.ts, add { src: "${source}", defer: true, ${attributes.map(([name, value]) => `"${name}": "${value}"`).join(", ")} } to app.head.script.`,
      routes,
    ],
  }),

  wordpress: ({ file, html, source, attributes }) => ({
    snippet: html,
    steps: [
      msg(
        "Open functions.php of your child theme, or create the file wp-content/mu-plugins/footfall.php starting with <?php.",
      ),
      msg("Add the code below. It prints the snippet into the <head> of every page (WordPress 5.7 or newer)."),
      msg("Clear the caches of caching plugins and of your host."),
    ],
    code: [
      {
        file: "wp-content/themes/your-child-theme/functions.php",
        language: "php",
        content: wordpress(source, attributes),
      },
    ],
    notes: [
      msg("Alternatively, use a plugin for header scripts and paste the snippet into its header field."),
      msg(
        "With plain permalinks (/?p=12), add p and page_id to the query parameters that make a page, in the site's settings under General.",
      ),
      `Exclude ${file} from optimisation plugins that combine or delay scripts, because it reads its settings from its own tag.`,
    ],
  }),

  shopify: ({ html }) => ({
    snippet: html,
    steps: [
      msg("In the Shopify admin, go to Online Store > Themes. In the … menu of your theme, choose Edit code."),
      msg("Open layout/theme.liquid and paste the snippet right before </head>."),
      msg("Save."),
    ],
    code: [{ file: "layout/theme.liquid", language: "liquid", content: head(html) }],
    notes: [
      msg(
        "The checkout and the thank-you page do not use the theme, so this snippet does not count them. Send purchases from your backend.",
      ),
      msg("A new or newly installed theme needs the snippet again."),
    ],
  }),

  gtm: ({ source, attributes, routes }) => {
    const snippet = tagManager(source, attributes);
    return {
      snippet,
      steps: [
        msg("In Tag Manager, choose Tags > New and the tag type Custom HTML."),
        msg("Paste the snippet unchanged. Leave Support document.write off."),
        msg("Choose the trigger Initialization - All Pages, then save."),
        msg("Check it with Preview, then submit and publish the container."),
      ],
      code: [{ file: "Custom HTML tag", language: "html", content: snippet }],
      notes: [
        msg(
          "Do not paste the plain script tag: Tag Manager removes its data-domain attribute, so nothing would be counted.",
        ),
        msg(
          "Many content blockers block Tag Manager and everything it loads. A tag in the page itself counts more visitors.",
        ),
        routes,
      ],
    };
  },
};

const head = (inside: string) => `<head>\n  <!-- existing content -->\n  ${inside.replaceAll("\n", "\n  ")}\n</head>`;

const nextLayout = (snippet: string) => `import Script from "next/script";

export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        {children}
        ${snippet}
      </body>
    </html>
  );
}`;

const wordpress = (source: string, attributes: Tag["attributes"]) => {
  const rows = [["src", `'${source}'`], ["defer", "true"], ...attributes.map(inPhp)];
  const width = Math.max(...rows.map(([name = ""]) => name.length + 2));
  return `add_action( 'wp_head', function () {
	wp_print_script_tag( array(
${rows.map(([name, value]) => `		${`'${name}'`.padEnd(width)} => ${value},`).join("\n")}
	) );
} );`;
};
const inPhp = ([name, value]: [string, string]): [string, string] => [name, value === "" ? "true" : `'${value}'`];

const tagManager = (source: string, attributes: Tag["attributes"]) => `<script>
  (function () {
    var script = document.createElement("script");
    script.defer = true;
    script.src = "${source}";
${attributes.map(([name, value]) => `    script.setAttribute("${name}", "${value}");`).join("\n")}
    document.head.appendChild(script);
  })();
</script>`;
