export interface Snippet {
  key: string;
  label: string;
  /** Where it goes. */
  where: string;
  code: string;
}

/** The line that makes a site count, in the words of what the site is built with. */
export function snippetsFor(baseUrl: string, domain: string): Snippet[] {
  const source = `${baseUrl}/script.js`;
  const tag = `<script defer src="${source}" data-domain="${domain}"></script>`;
  return [
    { key: "html", label: "HTML", where: "Paste it into the <head> of every page.", code: tag },
    {
      key: "next",
      label: "Next.js",
      where: "Put it into app/layout.tsx, inside <body>. Moves between pages are counted too.",
      code: `import Script from "next/script";\n\n<Script src="${source}" data-domain="${domain}" />`,
    },
    {
      key: "react",
      label: "React",
      where: "Paste it into the <head> of index.html. Moves between pages are counted too.",
      code: tag,
    },
    {
      key: "wordpress",
      label: "WordPress",
      where: "Put it into functions.php of your child theme, or into a code snippets plugin.",
      code: `add_action( 'wp_head', function () {\n  echo '${tag}';\n} );`,
    },
    {
      key: "gtm",
      label: "Tag Manager",
      where: "Add a tag of the kind Custom HTML, with the trigger Initialization – All Pages.",
      code: [
        "<script>",
        '  var script = document.createElement("script");',
        `  script.src = "${source}";`,
        `  script.setAttribute("data-domain", "${domain}");`,
        "  document.head.appendChild(script);",
        "</script>",
      ].join("\n"),
    },
  ];
}
