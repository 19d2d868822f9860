import { type Html, html } from '../pages/views/html.js';
import { isSignedIn, type Visit } from '../pages/views/page.js';
import { DOCS_PATH } from '../pages/views/site-map.js';

/**
 * The page `/docs`: Swagger UI. For a visitor who has signed in it holds the token with which its script may use the
 * session, so nothing keeps a copy of it.
 */
export function docsPage(visit: Visit): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${isSignedIn(visit) ? html`<meta name="csrf-token" content="${visit.csrf}" />` : null}
        <title>Slipway API</title>
        <link rel="icon" href="/pages.svg" />
        <link rel="stylesheet" href="/docs/swagger-ui.css" />
        <link rel="stylesheet" href="/docs/page.css" />
      </head>
      <body>
        <p class="visitor">${visitor(visit)}</p>
        <div id="docs"></div>
        <script src="/docs/swagger-ui-bundle.js"></script>
        <script src="/docs/start.js"></script>
      </body>
    </html>`.text;
}

function visitor(visit: Visit): Html {
  return isSignedIn(visit)
    ? html`Signed in as <strong>${visit.email}</strong>. Requests act as you, unless you enter a token with
        <em>Authorize</em>.`
    : html`<a href="/login?next=${encodeURIComponent(DOCS_PATH)}">Sign in</a> to send requests as yourself, or
        enter a token with <em>Authorize</em>.`;
}

/** The line above Swagger UI. */
export const docsStylesheet = `.visitor {
  max-width: 1460px;
  margin: 0 auto;
  padding: 1rem 1.25rem 0;
  color: #3b4151;
  font: 0.875rem/1.5 sans-serif;
  overflow-wrap: anywhere;
}
.visitor a {
  color: #0b5fff;
}
.dark-mode .visitor {
  color: #e6ebf0;
}
.dark-mode .visitor a {
  color: #6ea0ff;
}
`;

/**
 * Starts Swagger UI with its tags in the order of the document, collapsed. The filter compares words with tags, paths and
 * summaries; that of Swagger UI only compares the case-sensitive names of tags. It forgets the token when the page is
 * closed: a stored one could be read by every script of this origin. Requests to the API without a token use the session
 * of the visitor. The shown `curl` commands leave its CSRF token out, since it is of no use without the cookie.
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

const csrf = document.querySelector('meta[name="csrf-token"]')?.content;
const requestInterceptor = (request) => {
  const { origin, pathname } = new URL(request.url, location.href);
  const hasToken = Object.keys(request.headers).some((name) => name.toLowerCase() === 'authorization');
  if (csrf !== undefined && !hasToken && origin === location.origin && pathname.startsWith('/v1/')) {
    request.headers['X-CSRF-Token'] = csrf;
    request.credentials = 'same-origin';
  }
  return request;
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
  requestInterceptor,
  showMutatedRequest: false,
  plugins: [{ fn: { opsFilter } }],
});
`;
