import { attributesOf, PAGES_ONLY, scriptOf, type TrackingOptions } from "@/lib/sites/tracking-options";

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

const ROUTES = "Client-side navigation is counted automatically.";
const ROUTES_OR_HASH = `${ROUTES} If your routes use the URL hash (#), add the attribute data-hash to the tag.`;

const inHtml = ([name, value]: [string, string]) => (value === "" ? name : `${name}="${value}"`);
const inJsx = ([name, value]: [string, string]) => `${name}="${value}"`;

const GUIDES: Record<Framework, (tag: Tag) => Installation> = {
  html: ({ html }) => ({
    snippet: html,
    steps: ["Paste the snippet into the <head> of every page or of the shared template."],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [],
  }),

  laravel: ({ html, routes }) => ({
    snippet: html,
    steps: [
      "Open the Blade layout that your pages share, usually resources/views/layouts/app.blade.php.",
      "Paste the snippet into its <head>, between @production and @endproduction, so that local development is not counted.",
      "Deploy, and run php artisan view:clear if views are cached.",
    ],
    code: [
      {
        file: "resources/views/layouts/app.blade.php",
        language: "blade",
        content: head(`@production\n  ${html}\n@endproduction`),
      },
    ],
    notes: [
      "With Inertia, the layout is resources/views/app.blade.php. With the Livewire starter kit, the head is resources/views/partials/head.blade.php.",
      routes,
    ],
  }),

  react: ({ html, routes }) => ({
    snippet: html,
    steps: [
      "Open index.html in the root of the project (Vite).",
      "Paste the snippet into its <head>. No component or package is needed.",
      "Build and deploy.",
    ],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: ["React Router in framework mode has no index.html. Add the tag to the <head> in app/root.tsx.", routes],
  }),

  nextjs: ({ source, attributes, routes }) => {
    const snippet = `<Script src="${source}" ${attributes.map(inJsx).join(" ")} />`;
    return {
      snippet,
      steps: [
        "Open app/layout.tsx, the root layout.",
        "Import Script from next/script and add the snippet at the end of <body>.",
        "Build and deploy.",
      ],
      code: [{ file: "app/layout.tsx", language: "tsx", content: nextLayout(snippet) }],
      notes: [
        "With the Pages Router, add it to pages/_app.tsx next to <Component />.",
        "With a nonce-based Content-Security-Policy, pass the nonce to Script.",
        routes,
      ],
    };
  },

  vue: ({ html, source, attributes, routes }) => ({
    snippet: html,
    steps: [
      "Open index.html in the root of the project (Vite).",
      "Paste the snippet into its <head>. No plugin is needed.",
      "Build and deploy.",
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
      "Open functions.php of your child theme, or create the file wp-content/mu-plugins/footfall.php starting with <?php.",
      "Add the code below. It prints the snippet into the <head> of every page (WordPress 5.7 or newer).",
      "Clear the caches of caching plugins and of your host.",
    ],
    code: [
      {
        file: "wp-content/themes/your-child-theme/functions.php",
        language: "php",
        content: wordpress(source, attributes),
      },
    ],
    notes: [
      "Alternatively, use a plugin for header scripts and paste the snippet into its header field.",
      "With plain permalinks (/?p=12), add p and page_id to the query parameters that make a page, in the site's settings under General.",
      `Exclude ${file} from optimisation plugins that combine or delay scripts, because it reads its settings from its own tag.`,
    ],
  }),

  shopify: ({ html }) => ({
    snippet: html,
    steps: [
      "In the Shopify admin, go to Online Store > Themes. In the … menu of your theme, choose Edit code.",
      "Open layout/theme.liquid and paste the snippet right before </head>.",
      "Save.",
    ],
    code: [{ file: "layout/theme.liquid", language: "liquid", content: head(html) }],
    notes: [
      "The checkout and the thank-you page do not use the theme, so this snippet does not count them. Send purchases from your backend.",
      "A new or newly installed theme needs the snippet again.",
    ],
  }),

  gtm: ({ source, attributes, routes }) => {
    const snippet = tagManager(source, attributes);
    return {
      snippet,
      steps: [
        "In Tag Manager, choose Tags > New and the tag type Custom HTML.",
        "Paste the snippet unchanged. Leave Support document.write off.",
        "Choose the trigger Initialization - All Pages, then save.",
        "Check it with Preview, then submit and publish the container.",
      ],
      code: [{ file: "Custom HTML tag", language: "html", content: snippet }],
      notes: [
        "Do not paste the plain script tag: Tag Manager removes its data-domain attribute, so nothing would be counted.",
        "Many content blockers block Tag Manager and everything it loads. A tag in the page itself counts more visitors.",
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
