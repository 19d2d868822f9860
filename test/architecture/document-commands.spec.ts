import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliCommands } from '../../scripts/docs/clients/cli-commands.js';
import { commands } from '../../src/commands/commands.js';
import { pagesForReaders, textOf } from '../support/processes/pages.js';
import { blocksOf, shellLinesOf, syntaxErrorsOf } from '../support/processes/shell.js';

/*
 * Of the pages about clients and the guides, `test/clients/guides.spec.ts` runs the blocks with the language `sh`. Those of
 * other services have the language `bash` and are only parsed.
 */
const root = join(import.meta.dirname, '../..');
const OURS = /\bslipway\b|@capawesome\/cli|\$SLIPWAY/;
const COMMAND = /^ *(?:(?:export|npx|npm|curl|slipway|git|docker|kubectl|cap) |[A-Z_]+="?\$\()/m;

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

it('the pages for readers mark every command as one', () => {
  const unmarked = pagesForReaders().flatMap((page) => {
    const marked = [...blocksOf(textOf(page), 'sh'), ...blocksOf(textOf(page), 'bash')];
    return blocksOf(textOf(page), '\\w*').filter((block) => !marked.includes(block) && COMMAND.test(block));
  });
  expect(unmarked).toEqual([]);
});

it('commands of other services parse, and no command of ours is among them', () => {
  const foreign = documents.flatMap((path) => blocksOf(read(path), 'bash'));
  expect(foreign).not.toEqual([]);
  expect(foreign.map(syntaxErrorsOf).join('')).toBe('');
  expect(foreign.filter((block) => OURS.test(block))).toEqual([]);
});

it('every line for the shell parses, on every page', () => {
  const pages = documents.filter((path) => shellLinesOf(read(path)) !== '');
  const errors = pages.map((path) => [path, syntaxErrorsOf(shellLinesOf(read(path)))]);
  expect(errors.filter(([, error]) => error !== '')).toEqual([]);
});

it('names only commands that the command-line tool runs', () => {
  const names = Object.keys(cliCommands);
  const isNamed = (name: string): boolean => names.some((known) => `${known}:`.startsWith(`${name}:`));
  const pages = documents.filter((path) => !path.startsWith('docs/adr/'));
  const unknown = pages.flatMap((path) =>
    [...read(path).matchAll(/\bapps(?::[a-z-]+)+/g)]
      .map(([name]) => name)
      .filter((name) => !/:(read|write)$/.test(name) && !isNamed(name))
      .map((name) => `${path}: ${name}`),
  );
  expect(unknown).toEqual([]);
});

it('names only commands of slipway that there are', () => {
  const isCommand = (call: string): boolean =>
    Object.keys(commands).some((name) => `${call} `.startsWith(`${name} `));
  const calls = documents.flatMap((path) =>
    [...read(path).matchAll(/`(?:npm run )?slipway (?:-- )?([a-z][^`]*)`/g)].map(([, call = '']) => call),
  );
  expect(calls.length).toBeGreaterThan(10);
  expect(calls.filter((call) => !isCommand(call))).toEqual([]);
});
