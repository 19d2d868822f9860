import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '../../src/common/errors/catalogue/error-catalogue.js';
import { notFoundCodeOf, notFoundNameOf } from '../../src/common/errors/not-found-name.js';

const src = join(import.meta.dirname, '../../src');

/** The code of the server without its tests and without the catalogue. */
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.spec\.ts$|errors\/catalogue\//.test(path))
  .map((path) => readFileSync(join(src, path), 'utf8'));

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

/**
 * The entities on which a file calls a row function that throws a 404: that of the repository, or all of the file where a
 * call chooses among them.
 */
function entitiesLookedUp(source: string): string[] {
  const repositories = new Map(
    [...source.matchAll(/readonly (\w+): Repository<(\w+)>/g)].map(([, name = '', entity = '']) => [
      name,
      entity,
    ]),
  );
  const names = matches(source, /(?:find|lock|update|delete)OrThrow\(\s*(?:this\.)?(\w+)/g);
  return names.flatMap((name) => repositories.get(name) ?? [...repositories.values()]);
}

const missing = new Set(sources.flatMap(entitiesLookedUp));

it('has a 404 for every entity that a row function looks up', () => {
  expect(missing).toContain('Channel');
  expect(() => [...missing].map(notFoundNameOf)).not.toThrow();
});

it('has no code that the server does not use', () => {
  const used = new Set([
    ...[...missing].map((entity) => notFoundCodeOf(notFoundNameOf(entity))),
    ...sources.flatMap((source) => [
      ...matches(source, /\b([a-z]+(?:_[a-z]+)*)\b/g),
      ...matches(source, /new NotFoundError\('([\w ]+)'\)/g).map(
        (what) => `${what.toLowerCase().replaceAll(' ', '_')}_not_found`,
      ),
    ]),
  ]);
  expect(Object.keys(errorCatalogue).filter((code) => !used.has(code))).toEqual([]);
});

/** A message of the code as a pattern, whose values can be anything. */
const patternOf = (message: string): RegExp =>
  new RegExp(
    `^${message
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+')}$`,
  );

it('has examples of messages that the server sends', () => {
  const thrown = sources.flatMap((source) =>
    [...source.matchAll(/new \w+Error\(\s*(['`])([^'`]+)\1,\s*'(\w+)',?\s*\)/g)].map(
      ([, , message = '', code = '']) => ({ message, code }),
    ),
  );
  const own = new Set(sources.flatMap((source) => matches(source, /\berrorOf\('(\w+)'\)/g)));
  const wrong = Object.entries(errorCatalogue).filter(([code, { message }]) => {
    if (own.has(code)) return false;
    const patterns = thrown.filter((error) => error.code === code).map((error) => patternOf(error.message));
    return patterns.length > 0 && !patterns.some((pattern) => pattern.test(message));
  });
  expect(thrown.length).toBeGreaterThan(20);
  expect(wrong.map(([code]) => code)).toEqual([]);
});
