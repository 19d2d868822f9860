import { looksLikeLimit } from './refuse-unknown-fields.decorator.js';

it.each([
  'scope',
  'scopes',
  'expires',
  'expiresAt',
  'expires_in',
  'roles',
  'rol',
  'Role',
  'allowedRef',
  'allowed_refs',
  'alowedRefs',
  'protect',
  'isProtected',
  'protekted',
])('takes %s for a limit', (name) => {
  expect(looksLikeLimit(name)).toBe(true);
});

it.each([
  'name',
  'colour',
  'description',
  'certificateId',
  'environmentId',
  'memberId',
  'scoped',
  '',
  'x'.repeat(1e6),
])('takes %.20s for none', (name) => {
  expect(looksLikeLimit(name)).toBe(false);
});
