import { databaseNow } from '../../common/database-clock.js';
import { isRecentlyProved, PROOF_VALID_MINUTES } from '../../common/access/recent-proof.js';
import type { Token } from './token.entity.js';
import { type Html, html } from '../../pages/views/html.js';
import { notice, postForm } from '../../pages/views/layout.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';
import { confirmPath } from '../../pages/views/site-map.js';
import { showTime } from '../../pages/views/times.js';

/** How long a token may be valid; the first is the default. */
export const lifetimes = [
  { value: '90', days: 90, name: '90 days' },
  { value: '30', days: 30, name: '30 days' },
  { value: '365', days: 365, name: '1 year' },
  { value: 'never', days: null, name: 'No end' },
] as const;

/** The API tokens of the visitor, and a form for a new one. */
export function tokensPage(
  visit: SignedInVisit,
  tokens: readonly Token[],
  { created, failure }: { created?: string; failure?: string } = {},
): Page {
  const body = html`<h1>API tokens</h1>
    ${failure === undefined ? null : notice('bad', failure)} ${created === undefined ? null : reveal(created)}
    <p class="muted">
      A token acts as you. Give each program one of its own, and delete those that are not used any more.
    </p>
    ${
      isRecentlyProved(visit)
        ? postForm(visit, '/settings/tokens', newToken(), 'row')
        : html`<p>
            Your sign-in is older than ${PROOF_VALID_MINUTES} minutes.
            <a href="${confirmPath('/settings/tokens')}">Confirm that it is you</a> to create a token.
          </p>`
    }
    <h2>Your tokens</h2>
    ${
      tokens.length === 0
        ? html`<p class="muted">You have no tokens yet.</p>`
        : html`<ul class="list">
            ${tokens.map((token) => item(visit, token))}
          </ul>`
    }`;
  return { title: 'API tokens', body, navigation: true, ...(failure === undefined ? {} : { status: 422 }) };
}

function reveal(token: string): Html {
  return html`${notice('good', 'Here is your new token. Copy it now: it is not shown again.')}
    <p><code class="secret">${token}</code></p>`;
}

function newToken(): Html {
  return html`<label>
      Name
      <input name="name" maxlength="128" placeholder="Build server" autocomplete="off" required />
    </label>
    <label>
      Valid for
      <select name="expires">
        ${lifetimes.map(({ value, name }) => html`<option value="${value}">${name}</option>`)}
      </select>
    </label>
    <button>Create token</button>`;
}

function item(visit: SignedInVisit, token: Token): Html {
  const used = token.lastUsedAt === null ? 'Never used' : `Last used ${showTime(token.lastUsedAt)}`;
  return html`<li>
    <div>
      <strong>${token.name}</strong>
      <span class="hint">${used} · ${expiry(token.expiresAt)}</span>
    </div>
    ${postForm(
      visit,
      '/settings/tokens/delete',
      html`<input type="hidden" name="id" value="${token.id}" />
        <button class="danger small" aria-label="Delete ${token.name}">Delete</button>`,
    )}
  </li>`;
}

function expiry(expiresAt: Date | null): string {
  if (expiresAt === null) return 'does not expire';
  return `${expiresAt < databaseNow() ? 'expired' : 'expires'} ${showTime(expiresAt)}`;
}
