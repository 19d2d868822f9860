import {
  accountPermissions,
  roleGrants,
  rolePermissions,
  roles,
} from '../../src/common/access/permissions.ts';
import { table } from './table.ts';

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  /** What `@Requires()` says. */
  readonly 'x-permission'?: string;
  /** What `@AuthenticatedBy()` says. */
  readonly 'x-authenticated-by'?: string;
  readonly security?: readonly object[];
}

/** The part of the OpenAPI document that the page is made from. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const intro = `# Permissions

The role of a caller in an organization determines what the caller can do there. \`npm run docs:generate\` generates this page from the table in \`src/common/access/permissions.ts\` and from the OpenAPI document. A test compares them.

- An object that the caller cannot see gets a 404. An action that the role does not allow gets a 403 (\`not_authorized\`). The [scope](authentication.md#token-scope) of a token can limit it to less than its user can do.
- **Owners**: only owners can add, change or remove owners (403 \`owner_required\`). An organization always has one (409 \`last_owner\`).
- **Teams** limit what members see. As soon as an organization has a team, members other than owners and admins see only the apps that are assigned to one of their teams. Members without a team see none. When the last team is deleted, all members see all apps again. The role decides what they can do with an app.
- **Address and country lists** (\`ipAllowlist\`, \`countryAllowlist\`) apply to members of every role, on every request for data of the organization. Requests from elsewhere get a 403 (\`address_not_allowed\`, \`country_not_allowed\`), and lists leave out the organization and its apps. Devices are not members and not restricted.
- **Two-factor authentication** (\`twoFactorRequired\`) applies to members of every role, on every request for data of the organization and with every token. Users without it get a 403 (\`two_factor_required\`), and lists leave out the organization's apps. \`GET /v1/organizations\` still returns the organization, because users can change this themselves. To require two-factor authentication, you must use it yourself.
- **Suspended organizations** can be read by their members as before. All other requests get a 403 (\`organization_suspended\`) that says what the operator says about it. See [operations](operations.md#suspending-an-organization).
- **Some fields need another permission.** \`requiredApprovals\`, \`freezeWindows\` and \`allowedRefs\` of a channel or a destination need \`channels:govern\`, and so do renaming and deleting what has them. \`emergency\` needs \`deployments:override\`. \`protected\` and \`allowedRefs\` of an environment or a certificate need \`environments:use\` or \`certificates:use\`, and so does every change of one that is restricted. See [approvals and freeze windows](approvals.md), and [restricting use](guides/environments.md#restrict-who-can-use-them).
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
    `Every user has ${accountPermissions.map((name) => `\`${name}\``).join(' and ')} for their own account. \`POST /v1/apps\` needs \`apps:write\` in the organization. \`GET /v1/apps\` lists the apps for which the caller has \`apps:read\`, and \`GET /v1/organizations\` the organizations with \`organizations:read\`. Transferring an app needs \`apps:write\` in both organizations.\n`,
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
  const machine = operation['x-authenticated-by'];
  if (machine !== undefined) return `token of a ${machine}`;
  return operation.security === undefined ? 'no token' : 'token optional';
}

function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (/^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line).replaceAll('|', '\\|');
}
