import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from '../../src/commands/commands.js';
import { runProgram } from '../support/processes/programs.js';

const nowhere = { databaseUrl: 'postgres://127.0.0.1:1/nothing' };
const names = Object.keys(commands);

it('slipway --help lists every command, and so does docs/operations.md', async () => {
  const { code, out } = await runProgram('--help', nowhere);
  expect(code).toBe(0);
  expect([...out.matchAll(/^ {2}(\S+(?: \S+)?) {2,}[A-Z].*\.$/gm)].map(([, name]) => name)).toEqual(names);
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  expect([...page.matchAll(/^\| `slipway ([^`]+)`/gm)].map(([, name]) => name)).toEqual(names);
});

it.each(names)('slipway %s --help shows its usage and options', async (name) => {
  const { code, out } = await runProgram(name, nowhere, { args: ['--help'] });
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^Usage: slipway ${name}`));
  expect(out).toContain('--help');
});

it('slipway --help of a command shows the values and defaults of its options', async () => {
  const { out } = await runProgram('storage clean', nowhere, { args: ['-h'] });
  expect(out).toContain('Usage: slipway storage clean [options]\n');
  expect(out).toMatch(/^ {2}--older-than-hours N {2}.*\(24\)$/m);
});

it('slipway storage --help lists the commands of the storage', async () => {
  const { code, out } = await runProgram('storage', nowhere, { args: ['--help'] });
  expect(code).toBe(0);
  expect(out).toContain('Usage: slipway storage <command> [options]\n');
  expect(out).toMatch(/^ {2}storage quota {2,}Shows/m);
  expect(out).not.toContain('runner');
});

it.each(['unknown', 'storage', 'storage unknown', 'constructor'])(
  'slipway %s is not a command',
  async (name) => {
    const { code, out, err } = await runProgram(name, nowhere);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      `There is no command "${name.split(' ', 1)[0]}": "slipway --help" lists the commands.\n`,
    );
  },
);

it.each([
  ['storage clean', '--older-than-hours', 'many'],
  ['retention run', '--app', 'none'],
  ['password', '--without-two-factor'],
  ['import bundles', '--app', 'none'],
  ['token', 'more'],
  ['start', '--unknown'],
])('slipway %s %s is a wrong call', async (name, ...args) => {
  const { code, out, err } = await runProgram(name, nowhere, { args });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(`\nUsage: slipway ${name}`);
});

it('slipway token prints a token', async () => {
  expect(await runProgram('token', nowhere)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ca_[0-9a-f]{48}\n$/),
  });
});

it('slipway migrate needs a database', async () => {
  const { code, err } = await runProgram('migrate', { databaseUrl: '' });
  expect({ code, err }).toEqual({ code: 1, err: 'DATABASE_URL is required to run migrations.\n' });
});
