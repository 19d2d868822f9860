import { accessOf } from './git-submodules.js';

const HOST = 'https://git.example.com';

function access(
  address: string,
  submoduleRepositories: string[],
  hasExactPaths = false,
): ReturnType<typeof accessOf> {
  const credential = { authorization: 'Basic eA==', submoduleRepositories, hasExactPaths };
  const url = new URL(`${HOST}/acme/shop.git`);
  return accessOf({ url, credential }, address);
}

it.each([
  ['https://git.example.com/acme/lib.git', 'acme/lib'],
  ['https://GIT.example.com:443/Acme/Lib', 'acme/lib.git'],
  ['https://git.example.com/acme/lib/', 'acme/lib'],
  ['https://git.example.com/acme/Mobile%20Apps/_git/lib', 'acme/Mobile Apps/_git/lib'],
  ['https://git.example.com/acme/caf\u00e9', 'acme/caf\u00e9'],
  ['https://git.example.com/acme/caf%C3%A9', 'acme/caf\u00e9'],
])('signs in to %s, and to nothing beside it, if the list has %s', (address, listed) => {
  const { signIn, unlisted, isOwnHost } = access(address, [listed]);
  expect(signIn).toEqual({ [`http.${new URL(address).href}.extraHeader`]: 'Authorization: Basic eA==' });
  expect({ unlisted, isOwnHost }).toEqual({ unlisted: null, isOwnHost: true });
});

it.each([
  ['https://git.example.com/acme/lib.git', [], false, 'acme/lib'],
  ['https://git.example.com/acme/lib.git', ['acme/libs', 'acme', 'lib', '/acme/lib'], false, 'acme/lib'],
  ['https://git.example.com/acme/lib/secret.git', ['acme/lib'], false, 'acme/lib/secret'],
  ['https://git.example.com/acme/lib.git', ['acme/lib'], true, 'acme/lib.git'],
  ['https://git.example.com/Acme/lib', ['acme/lib'], true, 'Acme/lib'],
])('signs in to %s not, with the list %j', (address, listed, hasExactPaths, unlisted) => {
  expect(access(address, listed, hasExactPaths)).toEqual({ isOwnHost: true, signIn: {}, unlisted });
  // What the message says helps.
  expect(access(address, [unlisted], hasExactPaths).signIn).not.toEqual({});
});

it.each([
  'https://git.example.com/acme/x/../lib',
  'https://git.example.com/acme/./lib',
  'https://git.example.com/acme/%2e%2e/acme/lib',
  'https://git.example.com/acme%2Flib',
  'https://git.example.com/acme%2flib',
  'https://git.example.com/acme/lib%252F',
  'https://git.example.com/acme%5Clib',
  'https://git.example.com/acme/lib%00',
  'https://git.example.com/acme/lib%',
  'https://git.example.com/acme/lib%3Fx',
  'https://git.example.com//acme/lib',
  'https://git.example.com/acme/lib//',
  'https://git.example.com/acme/lib?x',
  'https://git.example.com/acme/lib#x',
  'https:/git.example.com/acme/lib',
  'https:git.example.com/acme/lib',
  'https://git.example.com/',
])('never signs in to %s', (address) => {
  const lists = ['acme/lib', 'acme/lib?', 'acme/lib//', 'acme', 'lib', ''];
  for (const hasExactPaths of [true, false]) {
    expect(access(address, lists, hasExactPaths)).toEqual({ isOwnHost: true, signIn: {}, unlisted: null });
  }
});

it.each([
  'http://git.example.com/acme/lib',
  'https://git.example.com:8443/acme/lib',
  'https://example.com/acme/lib',
])('never signs in to another host: %s', (address) => {
  expect(access(address, ['acme/lib'])).toEqual({ isOwnHost: false, signIn: {}, unlisted: null });
});

it('does not advise to list anything if there is no credential', () => {
  const url = new URL(`${HOST}/acme/shop.git`);
  expect(accessOf({ url, credential: null }, `${HOST}/acme/lib`)).toEqual({
    isOwnHost: true,
    signIn: {},
    unlisted: null,
  });
});
