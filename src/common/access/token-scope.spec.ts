import fc from 'fast-check';
import { type Permission, permissions } from './permissions.js';
import {
  allows,
  isScoped,
  isSubsetOf,
  type ScopeTarget,
  unscoped,
  covers,
  type TokenScope,
} from './token-scope.js';

const [acme, globex] = ['organization-a', 'organization-b'];
const [shop, news] = ['app-a', 'app-b'];
const limits = (some: Partial<TokenScope>): TokenScope => ({ ...unscoped, ...some });
const allowed = (some: Partial<TokenScope>, target: ScopeTarget): Permission[] =>
  permissions.filter((permission) => allows(limits(some), permission, target));

describe('allows', () => {
  it('allows everything without limits', () => {
    expect(allowed({}, { organizationId: acme, appId: shop })).toEqual(permissions);
    expect(allowed({}, { organizationId: acme })).toEqual(permissions);
    expect(allowed({}, {})).toEqual(permissions);
  });

  it('allows every permission that reads, and no other, when it is read-only', () => {
    const readers = permissions.filter((permission) => permission.endsWith(':read'));
    expect(allowed({ permissions: 'read-only' }, { organizationId: acme, appId: shop })).toEqual(readers);
    expect(allowed({ permissions: 'read-only' }, {})).toEqual(readers);
  });

  it('allows what is listed', () => {
    const listed = ['apps:read', 'bundles:write'] as const;
    expect(allowed({ permissions: listed }, { organizationId: acme, appId: shop })).toEqual(listed);
  });

  it('allows nothing in other organizations', () => {
    const some = { organizationIds: [acme] };
    expect(allowed(some, { organizationId: acme })).toEqual(permissions);
    expect(allowed(some, { organizationId: acme, appId: shop })).toEqual(permissions);
    expect(allowed(some, { organizationId: globex })).toEqual([]);
    expect(allowed(some, { organizationId: globex, appId: shop })).toEqual([]);
  });

  it('allows nothing in other apps', () => {
    const some = { appIds: [shop] };
    expect(allowed(some, { organizationId: acme, appId: shop })).toEqual(permissions);
    expect(allowed(some, { organizationId: acme, appId: news })).toEqual([]);
  });

  it('needs both when organizations and apps are limited: an app that has moved away is lost', () => {
    const some = { organizationIds: [acme], appIds: [shop] };
    expect(allowed(some, { organizationId: acme, appId: shop })).toEqual(permissions);
    expect(allowed(some, { organizationId: globex, appId: shop })).toEqual([]);
  });

  it('allows little in the organization of the apps that it is limited to', () => {
    const few = ['apps:read', 'account:read', 'account:write'];
    expect(allowed({ appIds: [shop] }, { organizationId: acme })).toEqual(few);
    expect(allowed({ appIds: [shop], organizationIds: [acme] }, { organizationId: acme })).toEqual(few);
    expect(allowed({ appIds: [shop], organizationIds: [acme] }, { organizationId: globex })).toEqual([]);
  });

  it('allows nothing that is out of reach', () => {
    fc.assert(
      fc.property(anyLimits(), anyTarget(), fc.constantFrom(...permissions), (some, target, permission) => {
        expect(!allows(some, permission, target) || covers(some, target)).toBe(true);
      }),
    );
  });
});

describe('isSubsetOf', () => {
  it('is true of itself and of no limits at all', () => {
    fc.assert(
      fc.property(anyLimits(), (some) => {
        expect(isSubsetOf(some, some)).toBe(true);
        expect(isSubsetOf(some, unscoped)).toBe(true);
      }),
    );
  });

  it('means that what is allowed within is allowed by the wider one', () => {
    fc.assert(
      fc.property(
        anyLimits(),
        anyLimits(),
        anyTarget(),
        fc.constantFrom(...permissions),
        (inner, outer, target, permission) => {
          fc.pre(isSubsetOf(inner, outer) && allows(inner, permission, target));
          expect(allows(outer, permission, target)).toBe(true);
        },
      ),
    );
  });

  it.each<[string, Partial<TokenScope>, Partial<TokenScope>]>([
    ['all within read-only', {}, { permissions: 'read-only' }],
    ['all within a list', {}, { permissions }],
    ['read-only within a list', { permissions: 'read-only' }, { permissions }],
    ['a longer list', { permissions: ['apps:read', 'apps:write'] }, { permissions: ['apps:read'] }],
    ['a list that writes within read-only', { permissions: ['apps:write'] }, { permissions: 'read-only' }],
    ['every organization within one', {}, { organizationIds: [acme] }],
    ['another organization', { organizationIds: [globex] }, { organizationIds: [acme] }],
    ['one more organization', { organizationIds: [acme, globex] }, { organizationIds: [acme] }],
    ['apps within organizations', { appIds: [shop] }, { organizationIds: [acme] }],
    ['every app within one', { organizationIds: [acme] }, { appIds: [shop] }],
    ['one more app', { appIds: [shop, news] }, { appIds: [shop] }],
    ['no expiry within one', {}, { expiresAt: new Date(1000) }],
    ['a later expiry', { expiresAt: new Date(1001) }, { expiresAt: new Date(1000) }],
  ])('is false of %s', (_what, inner, outer) => {
    expect(isSubsetOf(limits(inner), limits(outer))).toBe(false);
  });

  it('is true of what is narrower in every way', () => {
    const outer = limits({
      permissions: 'read-only',
      organizationIds: [acme, globex],
      expiresAt: new Date(1000),
    });
    const inner = {
      permissions: ['apps:read'],
      organizationIds: [acme],
      appIds: [shop],
      expiresAt: new Date(999),
    };
    expect(isSubsetOf(inner as TokenScope, outer)).toBe(true);
  });
});

it('is confined by organizations and by apps, not by permissions and expiry', () => {
  expect(isScoped(limits({ organizationIds: [acme] }))).toBe(true);
  expect(isScoped(limits({ appIds: [shop] }))).toBe(true);
  expect(isScoped(limits({ permissions: 'read-only', expiresAt: new Date() }))).toBe(false);
});

function anyLimits(): fc.Arbitrary<TokenScope> {
  const ids = (...all: string[]) => fc.option(fc.uniqueArray(fc.constantFrom(...all), { minLength: 1 }));
  return fc.record({
    permissions: fc.oneof(
      fc.constantFrom('all' as const, 'read-only' as const),
      fc.uniqueArray(fc.constantFrom(...permissions), { minLength: 1 }),
    ),
    organizationIds: ids(acme, globex),
    appIds: ids(shop, news),
    expiresAt: fc.option(fc.date({ noInvalidDate: true })),
  });
}

function anyTarget(): fc.Arbitrary<ScopeTarget> {
  return fc.oneof(
    fc.constant({}),
    fc.record({ organizationId: fc.constantFrom(acme, globex) }),
    fc.record({ organizationId: fc.constantFrom(acme, globex), appId: fc.constantFrom(shop, news) }),
  );
}
