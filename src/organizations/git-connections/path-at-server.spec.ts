import type { GitProvider } from './git-connection.entity.js';
import { parseRemoteUrl } from '../git-remotes/remote-url.js';
import { pathAtServer } from './path-at-server.js';

const cases: [GitProvider, string | null, string, string | null][] = [
  ['github', null, 'git@github.com:acme/shop.git', 'acme/shop'],
  ['github', null, 'https://gitlab.com/acme/shop', null],
  ['github', 'https://git.example.com', 'https://github.com/acme/shop', null],
  [
    'gitlab',
    'https://git.example.com/gitlab',
    'https://git.example.com/gitlab/acme/mobile/shop.git',
    'acme/mobile/shop',
  ],
  ['gitlab', 'https://git.example.com/gitlab', 'git@git.example.com:acme/shop.git', 'acme/shop'],
  ['gitea', 'http://git.example.com:3000', 'ssh://git@git.example.com:2222/acme/shop.git', 'acme/shop'],
  ['git_http', 'https://git.example.com/srv', 'https://git.example.com/srv/shop.git', 'shop.git'],
  ['git_http', 'http://[::1]:8080', 'http://[::1]:8080/shop.git', 'shop.git'],
  ['bitbucket', 'https://git.example.com', 'https://git.example.com/scm/ACME/shop.git', 'ACME/shop'],
  ['azure_devops', null, 'https://acme.visualstudio.com/mobile/_git/shop', 'acme/mobile/shop'],
  [
    'azure_devops',
    'https://git.example.com/tfs',
    'https://git.example.com/tfs/acme/mobile/_git/shop',
    'acme/mobile/shop',
  ],
];

it.each(cases)('finds with %s at %s for %s the path %s', (provider, baseUrl, remote, path) => {
  const address = parseRemoteUrl(remote);
  expect(address && pathAtServer({ provider, baseUrl }, address)).toBe(path);
});
