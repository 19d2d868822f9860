import { Config } from '../../config/config.js';
import { apiUrlOf, environmentOf } from './built-in-runner.js';

it.each([
  ['0.0.0.0', 'http://127.0.0.1:4000'],
  ['::', 'http://[::1]:4000'],
  ['fd00::1', 'http://[fd00::1]:4000'],
  ['192.0.2.1', 'http://192.0.2.1:4000'],
])('reaches a server on %s', (host, url) => {
  const config = new Config();
  Object.assign(config.http, { host, port: 4000 });
  expect(apiUrlOf(config)).toBe(url);
});

it('passes nothing of the server on but what a runner needs', () => {
  const env = {
    PATH: '/usr/bin',
    HOME: '/home/slipway',
    RUNNER: '1',
    RUNNER_SLOTS: '2',
    RUNNER_TOKEN: 'of another',
    RUNNER_TOKEN_FILE: 'of another',
    HTTPS_PROXY: 'http://proxy',
    ENCRYPTION_KEY: 'secret',
    DATABASE_URL: 'secret',
    S3_SECRET_ACCESS_KEY: 'secret',
    NODE_OPTIONS: '--inspect',
  };
  expect(environmentOf(env, { RUNNER_TOKEN_FILE: '/own' })).toEqual({
    PATH: '/usr/bin',
    HOME: '/home/slipway',
    RUNNER_SLOTS: '2',
    RUNNER_TOKEN_FILE: '/own',
    HTTPS_PROXY: 'http://proxy',
  });
});
