import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PASSWORD } from '../../builders/person.js';
import { NODE_COMPILE_CACHE, QUICK_OPTIONS } from '../../setup/node-options.js';
import { eventually } from '../../support/eventually.js';
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
  await eventually(() => expect(output).toContain('kept in'), 60_000);
  return {
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

it('shows a sign-in link in a terminal only, with which the first user signs in', async () => {
  const dataDir = await temporaryFolder();
  // PostgreSQL may run as another operating-system user.
  await chmod(dataDir, 0o711);
  const piped = await start(dataDir, false);
  await piped.stop();
  expect(piped.output()).not.toContain('/login/link');

  const seen = await start(dataDir, true);
  try {
    const [, origin = '', path = ''] =
      /^ {2}(http:\/\/localhost:\d+)(\/login\/link\?token=\S+)$/m.exec(seen.output()) ?? [];
    const browser = new Browser(origin);
    expect((await browser.open(path)).html).toContain('admin@slipway.local');
    const shown = await browser.submit('/login/link', { password: PASSWORD, repeated: PASSWORD });
    expect(shown.html).toContain('<h1>Welcome to Slipway</h1>');
    expect(shown.html).toContain(`API_BASE_URL=&quot;${origin}&quot;`);
    expect(shown.html).toContain('apps:create --name Shop');
    expect(seen.output().split(path)).toHaveLength(2);
  } finally {
    await seen.stop();
  }
});
