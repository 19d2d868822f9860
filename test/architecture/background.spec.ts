import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const src = join(import.meta.dirname, '../../src');

/** Hooks of Nest that end work. Commands call them, too, although they start none. */
const HOOKS = /\bon(?:ModuleDestroy|ApplicationShutdown)\(|\bbeforeApplicationShutdown\(/;

it('ends all background work in one way, as BackgroundTask', () => {
  const paths = globSync('**/*.ts', { cwd: src }).filter((path) => !path.endsWith('.spec.ts'));
  expect(paths.filter((path) => HOOKS.test(readFileSync(join(src, path), 'utf8')))).toEqual([
    'common/background/background-tasks.ts',
  ]);
});
