import { findKeyViolation } from './environment-key.js';

describe('keys of variables', () => {
  it.each([
    'API_URL',
    '_',
    'a1',
    'CIRCLE',
    'CI2',
    'ci',
    'NODE_OPTIONS',
    'NODE_VERSION',
    'PATHS',
    'x'.repeat(128),
  ])('can be %s', (key) => {
    expect(findKeyViolation(key)).toBeNull();
  });

  it.each(['CI', 'CI_', 'CI_X', 'PATH', 'HOME', 'LD_PRELOAD', 'DYLD_INSERT_LIBRARIES', '__proto__'])(
    'cannot be %s, which is reserved',
    (key) => {
      expect(findKeyViolation(key)).toContain('reserved');
    },
  );

  it.each([
    '',
    '1A',
    'A-B',
    'A=B',
    'A B',
    'A\n',
    '\nA',
    'A\0',
    'Ä',
    'CI\nX',
    'x'.repeat(129),
    5,
    null,
    undefined,
    {},
  ])('cannot be %j', (key) => {
    expect(findKeyViolation(key)).toContain('must be a name');
  });
});
