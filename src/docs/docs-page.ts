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

/** Starts Swagger UI. It forgets the token when the page is closed. */
export const docsScript = `SwaggerUIBundle({
  url: '/openapi',
  dom_id: '#docs',
  deepLinking: true,
  displayRequestDuration: true,
  tagsSorter: 'alpha',
});
`;
