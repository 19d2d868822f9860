import { VERSION } from '../../config/version.js';
import { type Html, html, type HtmlValue } from './html.js';
import { isSignedIn, type Page, type Visit } from './page.js';
import { navigation, START_PATH } from './site-map.js';
import { iconPath, stylesheetPath } from './stylesheet.js';

/**
 * A whole page.
 *
 * @param visit who sees it, if that is known
 * @param path the address of the page
 */
export function layout(page: Page, visit: Visit | undefined, path: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${page.title} · Slipway</title>
        <link rel="icon" href="${iconPath}" type="image/svg+xml" />
        <link rel="stylesheet" href="${stylesheetPath}" />
      </head>
      <body class="${page.navigation ? 'wide' : ''}">
        <header>
          <p class="brand"><a href="${START_PATH}">Slipway</a></p>
          ${visit !== undefined && isSignedIn(visit) ? account(visit, visit.email) : null}
        </header>
        ${page.navigation ? navigationBar(path) : null}
        <main>${page.body}</main>
        ${page.navigation ? html`<footer class="hint">Slipway ${VERSION}</footer>` : null}
      </body>
    </html>`;
}

function account(visit: Visit, email: string): Html {
  return html`<div class="account">
    <p>${email}</p>
    ${postForm(visit, '/logout', html`<button class="link">Sign out</button>`)}
  </div>`;
}

function navigationBar(path: string): Html {
  return html`<nav aria-label="Pages">
    ${navigation.map(
      ([href, name]) =>
        html`<a href="${href}" ${path === href ? html`aria-current="page"` : null}>${name}</a> `,
    )}
  </nav>`;
}

/**
 * A form of this server, with the token that proves it.
 *
 * @param className CSS class of the form
 */
export function postForm(visit: Visit, action: string, content: HtmlValue, className = ''): Html {
  return html`<form method="post" action="${action}" class="${className}">
    <input type="hidden" name="csrf" value="${visit.csrf}" />
    ${content}
  </form>`;
}

/** Reports what went wrong or well, or what to know. Screen readers announce it. */
export function notice(kind: 'good' | 'bad' | 'info', text: HtmlValue): Html {
  return html`<p class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</p>`;
}

/** Commands or another text to copy: one click selects all of it. @param lines of the text */
export function copyable(lines: readonly string[]): Html {
  return html`<pre class="copy">${lines.join('\n')}</pre>`;
}
