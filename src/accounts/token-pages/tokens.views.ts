import { isRecentlyProved, PROOF_VALID_MINUTES } from '../../common/access/recent-proof.js';
import { type Html, html } from '../../pages/views/html.js';
import { notice } from '../../pages/views/layout.js';
import type { Page, SignedInVisit } from '../../pages/views/page.js';
import { confirmPath } from '../../pages/views/site-map.js';
import type { ScopeChoices } from '../tokens/scope-resolver.js';
import type { Token } from '../tokens/token.entity.js';
import { TokenForm } from './token-form.dto.js';
import { tokenForm } from './token-form.views.js';
import { expiryOf, lastUseOf, limitOf, permissionsOf } from './token-texts.js';

export interface TokensPageContent {
  readonly tokens: readonly Token[];
  readonly choices: ScopeChoices;
  /** The secret of a token that was just created. */
  readonly created?: string;
  /** A form to correct, with the reason. */
  readonly form?: TokenForm;
  readonly failure?: string;
}

/** The API tokens of the visitor, and a form for a new one. */
export function tokensPage(
  visit: SignedInVisit,
  { tokens, choices, created, form = new TokenForm(), failure }: TokensPageContent,
): Page {
  const body = html`<h1>API tokens</h1>
    ${failure === undefined ? null : notice('bad', failure)} ${created === undefined ? null : reveal(created)}
    <p class="muted">
      A token acts as you. Give each program one of its own, with no more than it needs, and delete those that
      are not used any more.
    </p>
    ${
      isRecentlyProved(visit)
        ? tokenForm(visit, choices, form)
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
            ${tokens.map((token) => item(token, choices))}
          </ul>`
    }`;
  return { title: 'API tokens', body, navigation: true, ...(failure === undefined ? {} : { status: 422 }) };
}

function reveal(token: string): Html {
  return html`${notice('good', 'Here is your new token. Copy it now: it is not shown again.')}
    <p><code class="secret">${token}</code></p>`;
}

function item(token: Token, { organizations, apps }: ScopeChoices): Html {
  const names = new Map([...organizations, ...apps].map(({ id, name }) => [id, name]));
  const scope = [
    permissionsOf(token.permissions),
    limitOf('organization', token.organizationIds, names),
    limitOf('app', token.appIds, names),
  ];
  return html`<li>
    <div>
      <strong>${token.name}</strong> ${token.lastFour === null ? null : html`<code>…${token.lastFour}</code>`}
      <span class="hint">${scope.filter((part) => part !== null).join(' · ')}</span>
      <span class="hint">${lastUseOf(token)} · ${expiryOf(token)}</span>
    </div>
    <a
      class="button danger small"
      href="/settings/tokens/delete?id=${token.id}"
      aria-label="Delete ${token.name}"
      >Delete</a
    >
  </li>`;
}
