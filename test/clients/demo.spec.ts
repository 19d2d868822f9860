import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../..');

it('plays a live update on an instance of its own', async () => {
  const demo = spawn(process.execPath, ['scripts/demo.ts'], {
    cwd: root,
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
  });
  const exited = once(demo, 'exit') as Promise<[number | null]>;
  const [output, errors, [code]] = await Promise.all([text(demo.stdout), text(demo.stderr), exited]);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(output).toContain('All of it went as it should.');
});
