import { distance, nearestField } from './nearest-field.js';

const token = ['name', 'expiresAt', 'permissions', 'organizationIds', 'appIds'];

it.each([
  ['scope', 'permissions'],
  ['scopes', 'permissions'],
  ['Scopes', 'permissions'],
  ['roles', 'permissions'],
  ['permission', 'permissions'],
  ['permisions', 'permissions'],
  ['premissions', 'permissions'],
  ['expires', 'expiresAt'],
  ['expires_at', 'expiresAt'],
  ['expiry', 'expiresAt'],
  ['xpiresAt', 'expiresAt'],
  ['orgs', 'organizationIds'],
  ['organizationId', 'organizationIds'],
  ['app', 'appIds'],
  ['applications', 'appIds'],
  ['nmae', 'name'],
])('takes %s for %s', (name, meant) => {
  expect(nearestField(name, token)).toBe(meant);
});

it.each(['colour', '', 'x', 'тест', 'constructor', '__proto__'])('takes %j for none of them', (name) => {
  expect(nearestField(name, token)).toBeUndefined();
});

it('knows what a scope is elsewhere', () => {
  expect(nearestField('scopes', ['role'])).toBe('role');
  expect(nearestField('scope', ['name', 'allowedRefs', 'protected'])).toBe('allowedRefs');
});

it.each([
  ['role', 'role', 0],
  ['role', 'roles', 1],
  ['allowed_refs', 'allowedRefs', 0],
  ['isProtected', 'protected', 2],
  ['', 'role', 4],
  ['name', 'role', 3],
])('counts the letters between %j and %j', (a, b, letters) => {
  expect(distance(a, b)).toBe(letters);
  expect(distance(b, a)).toBe(letters);
});
