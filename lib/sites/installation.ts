import { legibleHost } from "@/lib/platform/legible-host";

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

/** The script URL, the primary domain of the site, and the plain HTML tag. */
interface Tag {
  source: string;
  domain: string;
  html: string;
}

/** Returns the installation guide for a site. @param baseUrl public URL of this service */
export function installationFor(framework: Framework, baseUrl: string, domain: string): Installation {
  const source = `${baseUrl}/script.js`;
  const html = `<script defer src="${source}" data-domain="${domain}"></script>`;
  const guide = GUIDES[framework]({ source, domain, html });
  const shown = legibleHost(domain);
  return {
    ...guide,
    steps: [
      ...guide.steps,
      `Open a page of ${shown} in a browser. The pageview appears on the dashboard within seconds.`,
    ],
    notes: [
      ...guide.notes,
      `Pages of ${shown} and its subdomains are counted. To count pages on another domain, add it to the domains of the site.`,
      `If your site sends a Content-Security-Policy, allow ${new URL(baseUrl).origin} in script-src and connect-src.`,
    ],
  };
}

const SPA_NOTE =
  "Client-side navigation is counted automatically. If your routes use the URL hash (#), add the attribute data-hash to the tag.";

const GUIDES: Record<Framework, (tag: Tag) => Installation> = {
  html: ({ html }) => ({
    snippet: html,
    steps: ["Paste the snippet into the <head> of every page or of the shared template."],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [],
  }),

  laravel: ({ html }) => ({
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
      SPA_NOTE,
    ],
  }),

  react: ({ html }) => ({
    snippet: html,
    steps: [
      "Open index.html in the root of the project (Vite).",
      "Paste the snippet into its <head>. No component or package is needed.",
      "Build and deploy.",
    ],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: ["React Router in framework mode has no index.html. Add the tag to the <head> in app/root.tsx.", SPA_NOTE],
  }),

  nextjs: ({ source, domain }) => {
    const snippet = `<Script src="${source}" data-domain="${domain}" />`;
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
        SPA_NOTE,
      ],
    };
  },

  vue: ({ html, source, domain }) => ({
    snippet: html,
    steps: [
      "Open index.html in the root of the project (Vite).",
      "Paste the snippet into its <head>. No plugin is needed.",
      "Build and deploy.",
    ],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [
      `Nuxt has no index.html. In nuxt.config.ts, add { src: "${source}", defer: true, "data-domain": "${domain}" } to app.head.script.`,
      SPA_NOTE,
    ],
  }),

  wordpress: ({ html, source, domain }) => ({
    snippet: html,
    steps: [
      "Open functions.php of your child theme, or create the file wp-content/mu-plugins/footfall.php starting with <?php.",
      "Add the code below. It prints the snippet into the <head> of every page (WordPress 5.7 or newer).",
      "Clear the caches of caching plugins and of your host.",
    ],
    code: [
      { file: "wp-content/themes/your-child-theme/functions.php", language: "php", content: wordpress(source, domain) },
    ],
    notes: [
      "Alternatively, use a plugin for header scripts and paste the snippet into its header field.",
      "With plain permalinks (/?p=12), add p and page_id to the query parameters that make a page, in the site's settings under General.",
      "Exclude script.js from optimisation plugins that combine or delay scripts, because it reads its settings from its own tag.",
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

  gtm: ({ source, domain }) => {
    const snippet = tagManager(source, domain);
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
        SPA_NOTE,
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

const wordpress = (source: string, domain: string) => `add_action( 'wp_head', function () {
	wp_print_script_tag( array(
		'src'         => '${source}',
		'defer'       => true,
		'data-domain' => '${domain}',
	) );
} );`;

const tagManager = (source: string, domain: string) => `<script>
  (function () {
    var script = document.createElement("script");
    script.defer = true;
    script.src = "${source}";
    script.setAttribute("data-domain", "${domain}");
    document.head.appendChild(script);
  })();
</script>`;
