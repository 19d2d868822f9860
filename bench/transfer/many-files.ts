import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TwoBuilds, WebApp } from './starter.ts';

const PACKAGES = join(import.meta.dirname, '../../node_modules');
const COMPONENTS = 56;
/** The one that is changed. */
const CHANGED = 7;

/**
 * An app of 60 files as bundlers with a file for each route make it: a page, a style sheet, an icon, all packages in one
 * file, and 56 components. The texts are real ones, of packages that Slipway itself uses.
 */
export async function buildManyFiles(): Promise<TwoBuilds> {
  const operators = join(PACKAGES, 'rxjs/dist/esm/internal/operators');
  const names = (await readdir(operators)).filter((name) => name.endsWith('.js')).sort();
  const components = await Promise.all(
    names
      .slice(0, COMPONENTS)
      .map(async (name) => [`assets/${name}`, await readFile(join(operators, name))] as const),
  );
  const first: WebApp = new Map([
    ['index.html', Buffer.from('<!doctype html><script type="module" src="assets/packages.js"></script>\n')],
    ['assets/style.css', await readFile(join(PACKAGES, 'swagger-ui-dist/swagger-ui.css'))],
    ['assets/icon.png', await readFile(join(PACKAGES, 'swagger-ui-dist/favicon-32x32.png'))],
    ['assets/packages.js', await readFile(join(PACKAGES, 'rxjs/dist/bundles/rxjs.umd.min.js'))],
    ...components,
  ]);
  const [href, content] = components[CHANGED] ?? ['', Buffer.alloc(0)];
  const second = new Map(first).set(href, Buffer.concat([content, Buffer.from('console.log("changed");\n')]));
  const bytes = [...first.values()].reduce((total, { length }) => total + length, 0);
  return { versions: `${first.size} files of ${Math.round(bytes / 1000)} kB`, first, second };
}
