import { parseRemoteUrl } from './remote-url.js';

it.each([
  ['https://github.com/acme/shop.git', 'github.com', 'acme/shop.git'],
  ['https://ada:secret@GitHub.com/acme/shop/', 'github.com', 'acme/shop'],
  ['git@github.com:acme/shop.git', 'github.com', 'acme/shop.git'],
  ['ssh://git@git.example.com:2222/acme/mobile/shop.git', 'git.example.com', 'acme/mobile/shop.git'],
  ['git@gitlab.com:acme/mobile/shop.git', 'gitlab.com', 'acme/mobile/shop.git'],
  ['https://dev.azure.com/acme/Mobile%20Apps/_git/shop', 'dev.azure.com', 'acme/Mobile Apps/shop'],
  ['git@ssh.dev.azure.com:v3/acme/mobile/shop', 'dev.azure.com', 'acme/mobile/shop'],
  ['https://acme.visualstudio.com/mobile/_git/shop', 'dev.azure.com', 'acme/mobile/shop'],
  ['https://acme.visualstudio.com/DefaultCollection/mobile/_git/shop', 'dev.azure.com', 'acme/mobile/shop'],
])('reads %s', (text, host, path) => {
  expect(parseRemoteUrl(text)).toEqual({ host, path });
});

it.each([
  '',
  'shop',
  '/srv/git/shop.git',
  'file:///srv/git/shop.git',
  'https://',
  'https://example.com/%ff',
  'ext::sh -c x',
])('does not read %j', (text) => expect(parseRemoteUrl(text)).toBeNull());
