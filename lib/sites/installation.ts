/** How a site is built, as people call it. */
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
  /** The tag itself, as the framework takes it. */
  snippet: string;
  steps: string[];
  /** Where it goes, with what is around it. */
  code: { file: string; language: string; content: string }[];
  notes: string[];
}

/** The parts of a tag: the script's address and the primary domain of the site that it counts for. */
interface Tag {
  source: string;
  domain: string;
  html: string;
}

/** What to do so that a site counts. `baseUrl` is the public address of this service. */
export function installationFor(framework: Framework, baseUrl: string, domain: string): Installation {
  const source = `${baseUrl}/script.js`;
  const html = `<script defer src="${source}" data-domain="${domain}"></script>`;
  const guide = GUIDES[framework]({ source, domain, html });
  return {
    ...guide,
    steps: [...guide.steps, `Open a page of ${domain} in a browser: within seconds it shows on the site's dashboard.`],
    notes: [
      ...guide.notes,
      `Pages of ${domain} and of hosts below it are counted. A page on any other domain is counted once that domain is added to the site (sites.domains.add).`,
      `Where a Content-Security-Policy is sent, allow ${new URL(baseUrl).origin} in script-src and connect-src.`,
    ],
  };
}

const ROUTES_ARE_COUNTED =
  "Moves between pages without a reload are counted too. When the routes stand behind the #, give the tag the attribute data-hash.";

const GUIDES: Record<Framework, (tag: Tag) => Installation> = {
  html: ({ html }) => ({
    snippet: html,
    steps: ["Paste the snippet into the <head> of every page, or of the template they share."],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [],
  }),

  laravel: ({ html }) => ({
    snippet: html,
    steps: [
      "Open the Blade layout that your pages share, usually resources/views/layouts/app.blade.php.",
      "Paste the snippet into its <head>, between @production and @endproduction, so that your own work on it is not counted.",
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
      "With Inertia the layout is resources/views/app.blade.php; with the Livewire starter kit the head is resources/views/partials/head.blade.php.",
      ROUTES_ARE_COUNTED,
    ],
  }),

  react: ({ html }) => ({
    snippet: html,
    steps: [
      "Open index.html in the root of the project (Vite).",
      "Paste the snippet into its <head>; no component and no package is needed.",
      "Build and deploy.",
    ],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [
      "React Router in framework mode has no index.html: put the tag into the <head> of app/root.tsx.",
      ROUTES_ARE_COUNTED,
    ],
  }),

  nextjs: ({ source, domain }) => {
    const snippet = `<Script src="${source}" data-domain="${domain}" />`;
    return {
      snippet,
      steps: [
        "Open app/layout.tsx, the root layout.",
        "Import Script from next/script and put the snippet at the end of <body>.",
        "Build and deploy.",
      ],
      code: [{ file: "app/layout.tsx", language: "tsx", content: nextLayout(snippet) }],
      notes: [
        "With the Pages Router put it into pages/_app.tsx beside <Component />.",
        "With a nonce-based Content-Security-Policy give Script the nonce too.",
        ROUTES_ARE_COUNTED,
      ],
    };
  },

  vue: ({ html, source, domain }) => ({
    snippet: html,
    steps: [
      "Open index.html in the root of the project (Vite).",
      "Paste the snippet into its <head>; no plugin is needed.",
      "Build and deploy.",
    ],
    code: [{ file: "index.html", language: "html", content: head(html) }],
    notes: [
      `Nuxt has no index.html: in nuxt.config.ts add { src: "${source}", defer: true, "data-domain": "${domain}" } to app.head.script.`,
      ROUTES_ARE_COUNTED,
    ],
  }),

  wordpress: ({ html, source, domain }) => ({
    snippet: html,
    steps: [
      "Open functions.php of your child theme, or make the file wp-content/mu-plugins/footfall.php beginning with <?php.",
      "Add the code below; it prints the snippet into the <head> of every page (WordPress 5.7 or newer).",
      "Empty the caches of caching plugins and of your host.",
    ],
    code: [
      { file: "wp-content/themes/your-child-theme/functions.php", language: "php", content: wordpress(source, domain) },
    ],
    notes: [
      "A plugin for header scripts does as well: paste the snippet into its header field.",
      "Optimisation plugins that combine or delay scripts must leave script.js out: it reads its settings from its own tag.",
    ],
  }),

  shopify: ({ html }) => ({
    snippet: html,
    steps: [
      "In the Shopify admin open Online Store, Themes, and at your theme the menu … with Edit code.",
      "Open layout/theme.liquid and paste the snippet right before </head>.",
      "Save.",
    ],
    code: [{ file: "layout/theme.liquid", language: "liquid", content: head(html) }],
    notes: [
      "The checkout and the thank-you page do not use the theme and are not counted by this snippet; send purchases from your backend.",
      "A new or newly installed theme needs the snippet again.",
    ],
  }),

  gtm: ({ source, domain }) => {
    const snippet = tagManager(source, domain);
    return {
      snippet,
      steps: [
        "In Tag Manager choose Tags, New, and the type Custom HTML.",
        "Paste the snippet as it is; document.write stays off.",
        "As trigger choose Initialization - All Pages, and save.",
        "Look at it with Preview, then Submit and Publish the container.",
      ],
      code: [{ file: "Custom HTML tag", language: "html", content: snippet }],
      notes: [
        "Do not paste the plain script tag instead: Tag Manager drops its data-domain attribute, and nothing would be counted.",
        "Many content blockers block Tag Manager and what it loads; a tag in the page itself counts more of your visitors.",
        ROUTES_ARE_COUNTED,
      ],
    };
  },
};

const head = (inside: string) =>
  `<head>\n  <!-- what is there already -->\n  ${inside.replaceAll("\n", "\n  ")}\n</head>`;

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
