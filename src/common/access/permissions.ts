/** Roles of an organization's members, in the spelling of the wire. */
export const roles = ['owner', 'admin', 'billing', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

const everyRole: Record<Role, boolean> = {
  owner: true,
  admin: true,
  billing: true,
  member: true,
  viewer: true,
};
const readers: Record<Role, boolean> = { ...everyRole, billing: false };
const writers: Record<Role, boolean> = { ...readers, viewer: false };
const administrators: Record<Role, boolean> = { ...writers, member: false };
/** A license key is paid for. */
const payers: Record<Role, boolean> = { ...administrators, billing: true };
const owners: Record<Role, boolean> = { ...administrators, admin: false };

/** Permissions that a role in an organization grants, by role. A missing cell does not compile. */
const grants = {
  'organizations:read': everyRole,
  'organizations:write': administrators,
  'ownership:write': owners,
  'membership:write': everyRole,
  'members:read': everyRole,
  'members:write': administrators,
  'invitations:read': administrators,
  'invitations:write': administrators,
  // A team names its apps, so who does not see all apps does not see teams.
  'teams:read': administrators,
  'teams:write': administrators,
  'license-keys:read': payers,
  'license-keys:write': payers,
  // A connection shows every repository that its credential sees, whichever apps a member sees.
  'git-connections:read': administrators,
  'git-connections:write': administrators,
  // The log shows every app and every member.
  'audit:read': administrators,
  // The address of a chat is a credential, and a webhook gets the events of every team.
  'webhooks:read': administrators,
  'webhooks:write': administrators,
  // Each caller sees the events that it may see the objects of.
  'events:read': readers,
  // A runner gets the source and the secrets of every app that it may build.
  'runners:read': administrators,
  'runners:write': administrators,
  'apps:read': readers,
  'apps:write': administrators,
  'channels:read': readers,
  'channels:write': writers,
  // Members whom approvals and freezes restrict must not switch them off.
  'channels:govern': administrators,
  'bundles:write': writers,
  // Members who can delete bundles must not release them from a hold.
  'legal-holds:write': administrators,
  'builds:read': readers,
  'builds:write': writers,
  'environments:read': readers,
  'environments:write': writers,
  // Members build without it, but not with what is protected, and they cannot remove the protection.
  'environments:use': administrators,
  'certificates:read': readers,
  'certificates:write': writers,
  'certificates:use': administrators,
  'automations:read': readers,
  // What an automation does takes its own permissions, of the member who saves it.
  'automations:write': writers,
  'configurations:read': readers,
  'configurations:write': writers,
  'destinations:read': readers,
  'destinations:write': writers,
  'submissions:write': writers,
  'deployments:read': readers,
  'deployments:write': writers,
  // Every role that deploys can approve, but not its own deployments.
  'deployments:approve': writers,
  'deployments:override': administrators,
  'devices:read': readers,
  'devices:write': writers,
  // It names apps of every team.
  'damaged-files:read': administrators,
  'insights:read': readers,
} satisfies Record<string, Record<Role, boolean>>;

export type RolePermission = keyof typeof grants;
export const rolePermissions = Object.keys(grants) as RolePermission[];

/**
 * What every signed-in user may do in its own name: read its profile and list what it can reach, and create
 * organizations. Handlers of this kind limit their queries to the caller themselves.
 */
export const accountPermissions = ['account:read', 'account:write'] as const;
export type AccountPermission = (typeof accountPermissions)[number];

export const permissions = [...rolePermissions, ...accountPermissions] as const;
export type Permission = (typeof permissions)[number];

/** What a token allows of what its user may do: everything, every permission that ends in `:read`, or these. */
export type TokenPermissions = 'all' | 'read-only' | readonly Permission[];

export function roleGrants(role: Role, permission: RolePermission): boolean {
  return grants[permission][role];
}

/** Whether the permission is one of every signed-in user. */
export function isAccountPermission(permission: Permission): permission is AccountPermission {
  return (accountPermissions as readonly string[]).includes(permission);
}
