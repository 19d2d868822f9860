import { pino } from 'pino';
import { Config } from '../../config/config.js';
import { apiUrlOf, environmentOf, startBuiltInRunner } from './built-in-runner.js';

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

it('leaves the server alone on a machine without a sandbox', async () => {
  const lines: string[] = [];
  const logger = pino({ base: null, timestamp: false }, { write: (line) => lines.push(line) });
  const config = new Config();
  // Nothing listens there: it would take an error to try.
  config.database.url = 'postgres://127.0.0.1:1/none';
  config.runners.builtIn = true;
  const checkSandbox = () =>
    Promise.resolve([{ name: 'bubblewrap', status: 'failed' as const, message: 'Install bubblewrap.' }]);
  const readRegistry = () => Promise.resolve(null);
  const runner = await startBuiltInRunner(config, logger, { checkSandbox, readRegistry });
  expect(runner.status).toEqual(['off: see the log']);
  expect(lines).toEqual([
    '{"level":40,"msg":"There is no built-in runner: This machine cannot keep builds apart. Install bubblewrap."}\n',
  ]);
  await runner.stop();
  const env = { RUNNER_SLOTS: 'many' };
  await startBuiltInRunner(config, logger, { env, readRegistry, checkSandbox: () => Promise.resolve([]) });
  expect(lines.at(-1)).toContain('There is no built-in runner: RUNNER_SLOTS must be a whole number');
  config.runners.builtIn = false;
  expect((await startBuiltInRunner(config, logger, { checkSandbox })).status).toEqual([]);
});
