import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PASSWORD } from '../../builders/person.js';
import { NODE_COMPILE_CACHE, QUICK_OPTIONS } from '../../setup/node-options.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { Browser } from '../../support/http/browser.js';
import { temporaryFolder } from '../../support/processes/temporary-folders.js';

const MAIN = join(import.meta.dirname, '../../../dist/slipway.js');

/** Starts Slipway with the embedded database. @returns what it prints until it runs, and a function that ends it */
async function start(
  dataDir: string,
  isTerminal: boolean,
): Promise<{ output: () => string; stop: () => Promise<void> }> {
  const terminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true'];
  const child = spawn(process.execPath, [...QUICK_OPTIONS, ...(isTerminal ? terminal : []), MAIN, 'start'], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += stripVTControlCharacters(chunk.toString())));
  await eventually(() => expect(output).toMatch(/ API token .+\n.+\/token\)/));
  return {
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** A folder for the data of a server. */
async function dataFolder(): Promise<string> {
  const folder = await temporaryFolder();
  // PostgreSQL may run as another operating-system user.
  await chmod(folder, 0o711);
  return folder;
}

/** Opens the sign-in link that a server has printed. */
async function openLink(output: string): Promise<{ browser: Browser; path: string; html: string }> {
  const [, origin = '', path = ''] =
    /^ {2}(http:\/\/localhost:\d+)(\/login\/link\?token=\S+)$/m.exec(output) ?? [];
  const browser = new Browser(origin);
  return { browser, path, html: (await browser.open(path)).html };
}

it('shows a sign-in link in a terminal only, with which the first user signs in', async () => {
  const dataDir = await dataFolder();
  const piped = await start(dataDir, false);
  await piped.stop();
  expect(piped.output()).not.toContain('/login/link');

  const seen = await start(dataDir, true);
  try {
    const { browser, path, html } = await openLink(seen.output());
    expect(html).toContain('admin@slipway.local');
    const shown = await browser.submit('/login/link', { password: PASSWORD, repeated: PASSWORD });
    expect(shown.html).toContain('admin@slipway.local');
    expect(seen.output().split(path)).toHaveLength(2);
  } finally {
    await seen.stop();
  }
});

it('shows the token of the first user while it is valid, and warns before it is deleted', async () => {
  const dataDir = await dataFolder();
  const first = await start(dataDir, true);
  const [token = ''] = /\bca_[0-9a-f]{48}\b/.exec(first.output()) ?? [];
  try {
    const { browser } = await openLink(first.output());
    await browser.submit('/login/link', { password: PASSWORD, repeated: PASSWORD });
    expect((await new Api(browser.origin, token).get('/v1/users/me')).status).toBe(200);
    const { html } = await browser.open('/settings/tokens');
    const asked = await browser.open(/\/settings\/tokens\/delete\?id=[\w-]+/.exec(html)?.[0] ?? '');
    expect(asked.html).toContain('First token');
    expect(asked.html).toContain('.slipway/token');
    await browser.submit('/settings/tokens/delete');
  } finally {
    await first.stop();
  }

  const second = await start(dataDir, false);
  await second.stop();
  expect(second.output()).not.toContain(token);
  expect(second.output()).toMatch(/API token {4}create one at http:\/\/localhost:\d+\/settings\/tokens\n/);
  expect(second.output()).toContain(`(no longer valid: ${dataDir}/token)`);
});
