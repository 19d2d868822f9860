import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Refused, runTool } from '../refused.ts';
import { pod } from './pod.ts';

// A stand-in for Bundler: bundler.io/man/bundle-install.1.html and bundle-exec.1.html.

void runTool('bundle', ([command, ...args]) => {
  const gemfile = findGemfile(process.cwd());
  // It looks for the Gemfile in this folder and above it.
  if (gemfile === null) throw new Refused('Could not locate Gemfile or .bundle/ directory', 10);
  const installed = join(process.env['BUNDLE_PATH'] ?? join(process.env['HOME'] ?? '', '.gem'), 'cocoapods');
  if (command === 'install' && args.length === 0) {
    mkdirSync(dirname(installed), { recursive: true });
    writeFileSync(installed, readFileSync(gemfile));
    process.stdout.write('Bundle complete! 1 Gemfile dependency, 1 gem now installed.\n');
  } else if (command === 'exec' && args[0] === 'pod') {
    if (!existsSync(installed)) throw new Refused('bundler: command not found: pod', 127);
    pod(args.slice(1));
  } else throw new Refused(`Could not find command "${command}".`, 15);
});

function findGemfile(folder: string): string | null {
  const path = join(folder, 'Gemfile');
  if (existsSync(path)) return path;
  const parent = resolve(folder, '..');
  return parent === folder ? null : findGemfile(parent);
}
