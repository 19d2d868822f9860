import { html } from '../pages/views/html.js';
import { copyable } from '../pages/views/layout.js';
import { isSignedIn, type Page, type Visit } from '../pages/views/page.js';
import { DOCS_PATH } from '../pages/views/site-map.js';

/** Stands at the addresses of the console on a server without its build. @param address that was asked for */
export function unbuiltPage(visit: Visit, address: string): Page {
  const body = html`<h1>The console is not built</h1>
    <p>The API works without it. To build the console, run:</p>
    ${copyable(['npm run build:console'])}
    ${
      isSignedIn(visit)
        ? html`<p><a href="${DOCS_PATH}">Read about the API</a></p>`
        : html`<p><a class="button main" href="/login?next=${encodeURIComponent(address)}">Sign in</a></p>`
    }`;
  return { title: 'Console', body, navigation: true };
}
