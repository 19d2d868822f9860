import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_COMPILE_CACHE } from '../../../setup/node-options.ts';

/**
 * Writes a program into a folder of tools.
 *
 * @param main what it runs, in TypeScript
 * @param env its environment variables besides those that it gets
 */
export function installTool(
  toolsDir: string,
  name: string,
  main: string,
  env: Readonly<Record<string, string>> = {},
): void {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  // Builds call it again and again, and most of its time goes into reading its modules.
  const variables = Object.entries({ ...env, NODE_COMPILE_CACHE })
    .map(([variable, value]) => `export ${variable}=${quoted(value)}\n`)
    .join('');
  const script = `#!/bin/sh\n${variables}exec ${quoted(process.execPath)} ${quoted(main)} "$@"\n`;
  mkdirSync(toolsDir, { recursive: true });
  writeFileSync(join(toolsDir, name), script, { mode: 0o755 });
}
