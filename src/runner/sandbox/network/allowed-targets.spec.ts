import { parseAllowedTargets } from './allowed-targets.js';

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
