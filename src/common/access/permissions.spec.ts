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
  it('let owners and administrators do everything here', () => {
    for (const permission of rolePermissions) {
      expect(grantedTo(permission)).toEqual(expect.arrayContaining(['owner', 'admin']));
    }
  });

  it('let members work in apps, but not manage apps and the organization', () => {
    const refused = rolePermissions.filter((permission) => !roleGrants('member', permission));
    expect(refused).toEqual(['organizations:write', 'apps:write']);
  });

  it('let viewers read everything and write nothing', () => {
    for (const permission of rolePermissions) {
      expect(roleGrants('viewer', permission)).toBe(permission.endsWith(':read'));
    }
  });

  it('let the billing role see the organization only', () => {
    expect(rolePermissions.filter((permission) => roleGrants('billing', permission))).toEqual([
      'organizations:read',
    ]);
  });

  it('have nothing to do with what every user may', () => {
    expect(accountPermissions.every(isAccountPermission)).toBe(true);
    expect(rolePermissions.some(isAccountPermission)).toBe(false);
  });
});
