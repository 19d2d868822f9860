import { type Html, html, type HtmlValue } from '../../pages/views/html.js';
import { notice, postForm } from '../../pages/views/layout.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';
import type { Token } from '../tokens/token.entity.js';
import { expiryOf, lastUseOf } from './token-texts.js';

/**
 * Asks before a token is deleted.
 *
 * @param isInFile whether it is the token of the first user, which the embedded default keeps in a file
 */
export function deleteTokenPage(visit: SignedInVisit, token: Token, isInFile: boolean): Page {
  const body = html`<h1>Delete this token?</h1>
    <p>Programs that use it are refused at once. This cannot be undone.</p>
    <dl>
      ${entry('Name', token.name)}
      ${token.lastFour === null ? null : entry('Last four characters', html`<code>${token.lastFour}</code>`)}
      ${entry('Use', lastUseOf(token))} ${entry('Expiry', expiryOf(token))}
    </dl>
    ${isInFile ? fileWarning : null}
    ${postForm(
      visit,
      '/settings/tokens/delete',
      html`<input type="hidden" name="id" value="${token.id}" />
        <div class="buttons">
          <a class="button" href="/settings/tokens">Keep it</a>
          <button class="danger">Delete token</button>
        </div>`,
    )}`;
  return { title: 'Delete this token?', body };
}

const fileWarning = notice(
  'bad',
  html`This is the token in the file <code>token</code> of <code>DATA_DIR</code> (by default
    <code>.slipway/token</code>), which <code>npm start</code> prints. Programs on the machine of this server
    may use it. The file stays when you delete the token.`,
);

function entry(name: string, value: HtmlValue): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
