import {
  accountPermissions,
  roleGrants,
  rolePermissions,
  roles,
} from '../../src/common/access/permissions.ts';

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  /** What `@Requires()` says. */
  readonly 'x-permission'?: string;
  readonly security?: readonly object[];
}

/** The part of the OpenAPI document that the page is made from. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const intro = `# Permissions

What a caller may do in an organization follows from its role there. This page is written from the table in \`src/common/access/permissions.ts\` and from the OpenAPI document by \`npm run permissions:doc\`; a test compares them.

- What the caller cannot see is 404, what its role may not do is 403 (\`not_authorized\`). A token can be [limited](authentication.md#limits) to less than its user may do.
- **Owners** are the only ones who may make, change or remove owners (403 \`owner_required\`). An organization always has one (409 \`last_owner\`).
- **Teams** narrow what is seen: as soon as an organization has a team, members other than owners and admins see only the apps that are assigned to one of their teams; who is in no team sees none. When the last team is deleted, all see all apps again. What they may do with an app that they see, their role decides.
- **Lists of addresses and countries** (\`ipAllowlist\`, \`countryAllowlist\`) hold for members of every role, on every request for data of the organization: from elsewhere it is 403 (\`address_not_allowed\`, \`country_not_allowed\`), and the organization and its apps are missing in lists. Devices are not members; they are not restricted.
- **Two-factor authentication** (\`twoFactorRequired\`) is asked of members of every role, on every request for data of the organization and with every token: as long as the user has none, it is 403 (\`two_factor_required\`), and the organization's apps are missing in lists. Unlike with an address, the user can change that, so \`GET /v1/organizations\` shows the organization all the same. Nobody can require it without having it.
- **Some bodies take more.** \`requiredApprovals\` and \`freezeWindows\` of a channel take \`channels:govern\`, and so do renaming and deleting a channel that has them; \`emergency\` takes \`deployments:override\`. See [live updates](live-updates.md#approvals-and-freeze-windows).
- The role \`billing\` sees the organization and its members, and manages license keys.
`;

/** The page docs/permissions.md. */
export function renderPermissions(document: ApiDocument): string {
  return [
    intro,
    '## By role\n',
    table(
      ['Permission', ...roles],
      rolePermissions.map((permission) => [
        `\`${permission}\``,
        ...roles.map((role) => (roleGrants(role, permission) ? '✓' : '')),
      ]),
    ),
    `Every user has ${accountPermissions.map((name) => `\`${name}\``).join(' and ')}: they are about what is its own. Creating an app by \`POST /v1/apps\` needs \`apps:write\` in the organization, and listing apps by \`GET /v1/apps\` shows those for which the caller has \`apps:read\`; so does \`GET /v1/organizations\` with \`organizations:read\`. Transferring an app needs \`apps:write\` in both organizations.\n`,
    '## By endpoint\n',
    table(['Endpoint', 'Permission', 'What it does'], operationsOf(document)),
  ].join('\n');
}

function operationsOf({ paths }: ApiDocument): string[][] {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        `\`${method.toUpperCase()} ${path}\``,
        permissionOf(operation),
        firstSentence(operation.summary ?? operation.description ?? ''),
      ]),
    );
}

function permissionOf(operation: Operation): string {
  const permission = operation['x-permission'];
  if (permission !== undefined) return `\`${permission}\``;
  return operation.security === undefined ? 'no token' : 'token optional';
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (/^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line).replaceAll('|', '\\|');
}

/** A Markdown table whose columns are as wide as prettier makes them. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(3, ...[head, ...rows].map((row) => [...(row[column] ?? '')].length), title.length),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''].join('\n');
}
