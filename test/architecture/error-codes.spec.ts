import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '');

const read = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path));

/** Texts in snake case that are no error codes: columns and constraints, kinds of locks, events of the log, a parameter, words of OAuth. */
const NO_CODES = new Set([
  ...read('migrations').flatMap((path) => matches(readFileSync(join(root, path), 'utf8'), /"(\w+)"/g)),
  'for_no_key_update',
  'blob_damaged',
  'blob_repaired',
  'blob_sound',
  'blob_unreadable',
  'pessimistic_read',
  'pessimistic_write',
  'access_token',
  'access_denied',
  'client_secret_basic',
  'client_secret_post',
  'email_verified',
  'invalid_grant',
  'server_error',
  'temporarily_unavailable',
]);

const isMetric = (text: string): boolean => text.startsWith('slipway_');

const sources = read('src')
  .filter((path) => !/\.(spec|entity)\.ts$|^src\/database\//.test(path))
  .map((path) => readFileSync(join(root, path), 'utf8'));

/** "Build artifact", "BuildArtifact" and "buildArtifactId" become `build_artifact_not_found`. */
const notFound = (what: string): string =>
  `${what
    .replace(/Id$/, '')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(' ', '_')
    .toLowerCase()}_not_found`;

/** The entities on which a file calls a row function that answers 404. */
function entitiesLookedUp(source: string): string[] {
  const repositories = new Map(
    [...source.matchAll(/readonly (\w+): Repository<(\w+)>/g)].map(([, name = '', entity = '']) => [
      name,
      entity,
    ]),
  );
  const names = matches(
    source,
    /(?:find|update|delete)OrThrow\(\s*(?:tx \? )?(?:tx\.withRepository\()?(?:this\.)?(\w+)/g,
  );
  return names.flatMap((name) => repositories.get(name) ?? []);
}

const emitted = new Set(
  sources.flatMap((source) => [
    ...matches(source, /'([a-z]+(?:_[a-z]+)+)'/g).filter((text) => !NO_CODES.has(text) && !isMetric(text)),
    ...matches(source, /code = '(\w+)'/g),
    // A code that is the name of a column, too.
    ...matches(source, /new ForbiddenError\([^;]*'(\w+)'\)/g),
    ...matches(source, /new LibraryError\([^;]*'(\w+)'\)/g),
    ...matches(source, /new NotFoundError\('([\w ]+)'\)/g).map(notFound),
    ...matches(source, /@IdParam\('(\w+)'\)/g).map(notFound),
    ...entitiesLookedUp(source).map(notFound),
  ]),
);

const documented = new Set(matches(readFileSync(join(root, 'docs/errors.md'), 'utf8'), /^\| `([a-z_]+)`/gm));

it('documents every error code', () => {
  expect([...emitted].filter((code) => !documented.has(code))).toEqual([]);
});

it('documents no code that does not exist', () => {
  expect([...documented].filter((code) => !emitted.has(code))).toEqual([]);
});
