import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const root = join(import.meta.dirname, '../../..');

/** The fenced blocks of Markdown in a language, as a reader copies them. */
export function blocksOf(markdown: string, language: string): string[] {
  const fence = new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms');
  return [...markdown.matchAll(fence)].map(([, lines = '']) => lines);
}

/** All lines of Markdown for the shell. */
export function shellLinesOf(markdown: string): string {
  return blocksOf(markdown, 'sh').join('');
}

/** A page of the repository, which describes the server at another address. */
export async function readPage(path: string, origin: string): Promise<string> {
  return (await readFile(join(root, path), 'utf8')).replaceAll('http://localhost:3000', origin);
}

/** What bash says about the syntax of lines; nothing if they are well formed. */
export function syntaxErrorsOf(lines: string): string {
  return spawnSync('bash', ['-n', '-c', lines], { encoding: 'utf8' }).stderr;
}

/** Runs lines as an interactive shell in a fresh checkout would, but stops at the first that fails. */
export async function runShell(
  lines: string,
  folder: string,
): Promise<{ code: number | null; output: string }> {
  const shell = spawn('bash', ['-e', '-o', 'pipefail', '-c', lines], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      CAPAWESOME_TELEMETRY_DISABLED: '1',
      // Speeds the commands up, as in cli.ts.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/capawesome-cli'),
      HTTPS_PROXY: 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(shell, 'exit') as Promise<[number | null]>;
  const [output, errors, [code]] = await Promise.all([text(shell.stdout), text(shell.stderr), exited]);
  return { code, output: output + errors };
}
