import {
  isAccountPermission,
  type RolePermission,
  roleGrants,
  rolePermissions,
  roles,
  accountPermissions,
} from './permissions.js';

const grantedTo = (permission: RolePermission): string[] =>
  roles.filter((role) => roleGrants(role, permission));

describe('roles', () => {
  it('let owners do everything, and administrators all but dispose of the organization', () => {
    for (const permission of rolePermissions) {
      const granted = permission === 'ownership:write' ? ['owner'] : ['owner', 'admin'];
      expect(grantedTo(permission).slice(0, 2)).toEqual(granted);
    }
  });

  it('let members work in apps, but not manage apps and the organization', () => {
    const refused = rolePermissions.filter((permission) => !roleGrants('member', permission));
    expect(refused).toEqual([
      'organizations:write',
      'ownership:write',
      'members:write',
      'invitations:read',
      'invitations:write',
      'teams:read',
      'teams:write',
      'license-keys:read',
      'license-keys:write',
      'git-connections:read',
      'git-connections:write',
      'audit:read',
      'webhooks:read',
      'webhooks:write',
      'runners:read',
      'runners:write',
      'apps:write',
      'channels:govern',
      'legal-holds:write',
      'environments:use',
      'certificates:use',
      'deployments:override',
      'damaged-files:read',
    ]);
  });

  it('let viewers read what members read, and write nothing', () => {
    for (const permission of rolePermissions.filter((name) => name !== 'membership:write')) {
      const reads = permission.endsWith(':read') && roleGrants('member', permission);
      expect(roleGrants('viewer', permission)).toBe(reads);
    }
  });

  it('let the billing role see the organization and its members, and manage license keys', () => {
    const granted = rolePermissions.filter((permission) => roleGrants('billing', permission));
    expect(granted).toEqual([
      'organizations:read',
      'membership:write',
      'members:read',
      'license-keys:read',
      'license-keys:write',
    ]);
  });

  it('let everybody leave', () => {
    expect(grantedTo('membership:write')).toEqual(roles);
  });

  it('have nothing to do with what every user may', () => {
    expect(accountPermissions.every(isAccountPermission)).toBe(true);
    expect(rolePermissions.some(isAccountPermission)).toBe(false);
  });
});
