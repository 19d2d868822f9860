import { findClosedHosts, parseAllowedTargets } from './allowed-targets.js';

describe('parseAllowedTargets', () => {
  it('separates networks, host names and IPv6', () => {
    expect(
      parseAllowedTargets(['10.1.2.3', ' 10.9.8.7/8', 'NPM.corp.example.com', 'fd00::/8', '::1']),
    ).toEqual({
      networks: ['10.1.2.3/32', '10.0.0.0/8'],
      hosts: ['npm.corp.example.com'],
      ignored: ['fd00::/8', '::1'],
    });
  });

  it.each(['', '10.1', '10.0.0.0/33', '*.corp.example.com', 'https://npm.example.com', 'a b', '10.0.0.1:80'])(
    'refuses %j',
    (entry) => {
      expect(() => parseAllowedTargets(['10.0.0.1', entry])).toThrow(`RUNNER_ALLOW has "${entry}"`);
    },
  );
});

describe('findClosedHosts', () => {
  it('names each once', async () => {
    expect(await findClosedHosts(['10.1.2.3', '10.1.2.3', '192.168.0.1'], ['10.9.0.0/16'])).toEqual([
      '10.1.2.3',
      '192.168.0.1',
    ]);
  });

  it.each([
    ['public', '1.1.1.1'],
    ['open', '10.9.1.1'],
    ['a metadata service, which cannot be opened', '169.254.169.254'],
    ['the loopback of the build', '127.0.0.1'],
    ['the loopback by its name', 'localhost'],
    ['the sandbox itself', '198.18.0.100'],
    ['unknown', 'nowhere.invalid'],
    ['no host', 'a b'],
    ['no address', '999.1.1.1'],
  ])('leaves out what is %s', async (_what, host) => {
    expect(await findClosedHosts([host], ['10.9.0.0/16'])).toEqual([]);
  });
});
