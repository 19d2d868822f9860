import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Profile } from '../test/setup/profiled-environment.ts';

/*
 * `npm run test:seconds -- <profile> …`: writes what spec files take to `test/setup/seconds.json`, from the profiles of runs
 * with `TEST_PROFILE`. Jest begins with those that take longest. Files that were not run keep their seconds.
 */

/** Quicker files are left out: their order does not matter. */
const LEAST_SECONDS = 5;

const root = join(import.meta.dirname, '..');
const list = join(root, 'test/setup/seconds.json');
const seconds = JSON.parse(readFileSync(list, 'utf8')) as Record<string, number>;

const profiles = process.argv.slice(2);
if (profiles.length === 0) throw new Error('Name the files that TEST_PROFILE wrote.');
for (const path of profiles) {
  for (const line of readFileSync(path, 'utf8').trimEnd().split('\n')) {
    const { file, wall } = JSON.parse(line) as Profile;
    seconds[relative(root, file)] = Math.round(wall / 1000);
  }
}
const slow = Object.entries(seconds).filter(([, wall]) => wall >= LEAST_SECONDS);
const sorted = slow.sort(([a, one], [b, other]) => other - one || a.localeCompare(b));
writeFileSync(list, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
