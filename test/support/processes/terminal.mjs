/*
 * Loaded before the command-line tool (`node --import`): lets it believe that its pipes are a terminal (unless `CI` is
 * set), that a file is the machine's keyring, and that a browser opens: the address goes to standard error instead. What
 * reports crashes is left out: without telemetry it does nothing, and is half of what a command loads.
 */
import childProcess from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

if (process.env.CI === undefined) {
  for (const stream of [process.stdin, process.stdout]) {
    Object.assign(stream, { isTTY: true, columns: 80, rows: 24 });
  }
  process.stdin.setRawMode = () => process.stdin;
}

/** Stands in for the machine's keyring: a file in the home folder. */
export class Entry {
  file = join(homedir(), 'keyring');

  getPassword() {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8') : null;
  }

  setPassword(password) {
    writeFileSync(this.file, password);
  }

  deletePassword() {
    rmSync(this.file);
  }
}

const replaced = new Map([
  ['@napi-rs/keyring', import.meta.url],
  ['@sentry/node', 'data:text/javascript,'],
]);

registerHooks({
  resolve: (specifier, context, next) =>
    replaced.has(specifier) ? { url: replaced.get(specifier), shortCircuit: true } : next(specifier, context),
});

childProcess.spawn = (_command, args) => {
  process.stderr.write(`OPENED ${args.find((arg) => arg.startsWith('http'))}\n`);
  return Object.assign(new EventEmitter(), { unref: () => undefined });
};
syncBuiltinESMExports();
