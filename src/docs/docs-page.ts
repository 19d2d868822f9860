/** The page `/docs`: Swagger UI. */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Slipway API</title>
    <link rel="icon" href="/pages.svg">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    <div id="docs"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/**
 * Starts Swagger UI with its tags in the order of the document, collapsed. The filter compares words with tags, paths and
 * summaries; that of Swagger UI only compares the case-sensitive names of tags. It forgets the token when the page is
 * closed: a stored one could be read by every script of this origin.
 */
export const docsScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const matches = (text, words) => words.every((word) => text.toLowerCase().includes(word));
const textOf = (tag, entry) => [tag, entry.get('path'), entry.getIn(['operation', 'summary'])].join(' ');
const opsFilter = (tags, phrase) => {
  const words = phrase.toLowerCase().split(/\\s+/);
  return tags
    .map((tag, name) =>
      tag.update('operations', (entries) => entries.filter((entry) => matches(textOf(name, entry), words))),
    )
    .filter((tag) => tag.get('operations').size > 0);
};

SwaggerUIBundle({
  url: '/openapi',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  plugins: [{ fn: { opsFilter } }],
});
`;
