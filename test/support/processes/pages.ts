import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shellLinesOf } from './shell.js';

const docs = join(import.meta.dirname, '../../../docs');

/** The pages below `docs` about the clients and their tasks, by path and without `.md`. */
export function pagesForReaders(): string[] {
  const guides = readdirSync(join(docs, 'guides')).map((name) => `guides/${name.replace(/\.md$/, '')}`);
  return ['clients', ...guides].sort();
}

/** The text of a page below `docs`. */
export function textOf(page: string): string {
  return readFileSync(join(docs, `${page}.md`), 'utf8');
}

/** Those with lines for the shell, which a test must follow. */
export function pagesWithCommands(): string[] {
  return pagesForReaders().filter((page) => shellLinesOf(textOf(page)) !== '');
}
