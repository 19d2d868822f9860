import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from '../refused.ts';

/** In a comment of a source: it takes a minute. */
const SLOW = '// takes long to compile';

/** Compiles nothing, but fails and waits on demand. @throws Refused as the compiler of Swift does */
export async function compile(folder: string, action: string): Promise<void> {
  for (const path of sources(folder)) {
    const lines = readFileSync(path, 'utf8').split('\n');
    process.stdout.write(
      `SwiftCompile normal arm64 Compiling\\ ${path} ${path} (in target 'App' from project 'App')\n`,
    );
    if (lines.some((line) => line.includes(SLOW))) await sleep(60_000);
    const index = lines.findIndex((line) => line.includes('undeclaredName'));
    if (index === -1) continue;
    // The form of diagnostics: docs/Diagnostics.md of github.com/swiftlang/swift; the rest as xcodebuild prints it.
    throw new Refused(
      [
        `${path}:${index + 1}:9: error: cannot find 'undeclaredName' in scope`,
        lines[index] ?? '',
        '        ^~~~~~~~~~~~~~',
        '',
        `** ${action.toUpperCase()} FAILED **`,
        '',
        'The following build commands failed:',
        `\tSwiftCompile normal arm64 Compiling\\ AppDelegate.swift ${path} (in target 'App' from project 'App')`,
        '(1 failure)',
      ].join('\n'),
      65,
    );
  }
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.swift'))
    .map((entry) => join(entry.parentPath, entry.name));
}
