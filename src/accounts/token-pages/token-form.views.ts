import { type Permission, permissions } from '../../common/access/permissions.js';
import { databaseNow } from '../../common/database-clock.js';
import { type Html, html } from '../../pages/views/html.js';
import { postForm } from '../../pages/views/layout.js';
import type { SignedInVisit } from '../../pages/views/page.js';
import { MAX_SCOPE_IDS } from '../tokens/scope.decorators.js';
import type { ScopeChoices } from '../tokens/scope-resolver.js';
import { accesses, lifetimes } from './read-token-form.js';
import type { TokenForm } from './token-form.dto.js';

const accessTexts: Readonly<Record<(typeof accesses)[number], readonly [name: string, hint: string]>> = {
  all: ['All permissions', 'Everything that you may do, now and in future.'],
  'read-only': ['Read only', 'Every permission that ends in :read.'],
  ci: ['CI', 'Builds, publishes and submits with what is set up. Changes no settings.'],
  'release-manager': [
    'Release manager',
    'Deploys, promotes, rolls back and approves. Builds and publishes nothing.',
  ],
  list: ['Only chosen permissions', 'Those that you choose below.'],
};

/** Permissions by what they are for: `apps` has `apps:read` and `apps:write`. */
const groups = Map.groupBy(permissions, (permission) => permission.split(':', 1)[0] ?? '');

/** What each group is about. */
const groupTexts: Readonly<Record<string, string>> = {
  organizations: 'Names and settings of organizations.',
  ownership: 'Hand an organization over to another owner.',
  membership: 'Leave an organization.',
  members: 'Who is in an organization, and with which role.',
  invitations: 'Invite people.',
  teams: 'Which members see which apps.',
  'license-keys': 'License keys of an organization.',
  'git-connections': 'Access to git servers.',
  audit: 'Who did what.',
  webhooks: 'Send events to programs and chats.',
  events: 'Read what has happened.',
  runners: 'The machines that build.',
  apps: 'Apps and their settings.',
  automations: 'What builds an app when its repository changes.',
  channels: 'Channels, and with govern their approvals and freezes.',
  bundles: 'Publish live updates.',
  'legal-holds': 'Keep bundles from deletion.',
  builds: 'Start builds, and read their logs and files.',
  environments: 'Variables and secrets of builds; use: the protected ones, too.',
  certificates: 'Keys that sign apps; use: the protected ones, too.',
  configurations: 'Values that builds write into native projects.',
  destinations: 'Places in the stores.',
  submissions: 'Send builds to the stores.',
  deployments: 'Release to channels; approve: those of others; override: without approvals.',
  devices: 'Devices, and the channels forced on them.',
  'damaged-files': 'Stored files that are damaged.',
  insights: 'Figures about devices and downloads.',
  account: 'Your profile and what you can reach; write: new organizations.',
};

/**
 * The form for a new token.
 *
 * @param form what it shows: an empty one, or one to correct
 */
export function tokenForm(visit: SignedInVisit, choices: ScopeChoices, form: TokenForm): Html {
  return postForm(
    visit,
    '/settings/tokens',
    html`<label>
        Name
        <input
          name="name"
          value="${form.name}"
          maxlength="128"
          placeholder="Build server"
          autocomplete="off"
          required
        />
      </label>
      ${validity(form)} ${access(form)} ${organizations(choices, form)} ${apps(choices, form)}
      <button>Create token</button>`,
  );
}

function validity({ expires, lastDay }: TokenForm): Html {
  return html`<div class="pair">
    <label>
      Valid for
      <select name="expires">
        ${lifetimes.map(
          ({ value, name }) =>
            html`<option value="${value}" ${value === expires ? html`selected` : null}>${name}</option>`,
        )}
      </select>
    </label>
    <label>
      or until the end of
      <input
        type="date"
        name="lastDay"
        value="${lastDay}"
        min="${databaseNow().toISOString().slice(0, 10)}"
        max="9999-12-31"
        aria-describedby="last-day"
      />
      <span class="hint" id="last-day">In UTC. A day that you choose here counts instead.</span>
    </label>
  </div>`;
}

function access(form: TokenForm): Html {
  const chosen = accesses.find((value) => value === form.access) ?? accesses[0];
  return html`<fieldset>
      <legend>The token has</legend>
      ${accesses.map((value) => {
        const [name, hint] = accessTexts[value];
        return html`<label class="choice">
          <input type="radio" name="access" value="${value}" ${value === chosen ? html`checked` : null} />
          <span>${name} <span class="hint">${hint}</span></span>
        </label>`;
      })}
    </fieldset>
    <details ${form.permissions.length > 0 || chosen === 'list' ? html`open` : null}>
      <summary>Choose permissions</summary>
      <div class="choices">
        ${[...groups].map(([name, members]) => permissionGroup(name, members, form.permissions))}
      </div>
    </details>`;
}

function permissionGroup(name: string, members: readonly Permission[], chosen: readonly string[]): Html {
  return html`<fieldset>
    <legend>${name}</legend>
    <p class="hint">${groupTexts[name] ?? ''}</p>
    ${members.map((permission) =>
      checkbox('permissions', permission, chosen.includes(permission), permission.slice(name.length + 1)),
    )}
  </fieldset>`;
}

function organizations(choices: ScopeChoices, form: TokenForm): Html | null {
  const boxes = choices.organizations.map(({ id, name }) =>
    checkbox('organizationIds', id, form.organizationIds.includes(id), name),
  );
  const hint = 'If you choose none, the token sees all of your organizations, also those to come.';
  return section('Limit to organizations', hint, boxes, form.organizationIds.length > 0);
}

function apps(choices: ScopeChoices, form: TokenForm): Html | null {
  const boxes = choices.apps.map(({ id, name, organizationName }) =>
    checkbox(
      'appIds',
      id,
      form.appIds.includes(id),
      html`${name} <span class="hint">${organizationName}</span>`,
    ),
  );
  const hint =
    'If you choose none, the token sees all of your apps. With some, it can do nothing with their organizations but list these apps.';
  return section('Limit to apps', hint, boxes, form.appIds.length > 0);
}

function section(title: string, hint: string, boxes: readonly Html[], isOpen: boolean): Html | null {
  if (boxes.length === 0) return null;
  const isCut = boxes.length === MAX_SCOPE_IDS;
  return html`<details ${isOpen ? html`open` : null}>
    <summary>${title}</summary>
    <p class="hint">
      ${hint}
      ${isCut ? `The newest ${MAX_SCOPE_IDS} are listed; for others, create the token with the API.` : null}
    </p>
    <div class="choices">${boxes}</div>
  </details>`;
}

function checkbox(name: string, value: string, isChosen: boolean, text: string | Html): Html {
  return html`<label class="choice">
    <input type="checkbox" name="${name}" value="${value}" ${isChosen ? html`checked` : null} />
    <span>${text}</span>
  </label>`;
}
