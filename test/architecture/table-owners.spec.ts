import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { dataSourceUsers, foreignReads, secondWriters } from './foreign-tables.js';
import { type Owner, ownersOf, tablesOf, UNKNOWN, usesOf } from './table-uses.js';

const root = join(import.meta.dirname, '../..');

/** The sources of the server, by path, such as `src/apps/apps/app.entity.ts`. */
const sources = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => [`src/${path}`, readFileSync(join(root, 'src', path), 'utf8')]),
);

const rules = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as {
  readonly forbidden: readonly { readonly name: string }[];
};
/** Names of the areas, upstream first; shared parts are upstream of all. */
const areas = rules.forbidden.flatMap(({ name }) => /^(.+)-imports-no-area-below-it$/.exec(name)?.[1] ?? []);
const levelOf = (path: string): number =>
  path.startsWith('src/commands/') ? areas.length : areas.indexOf(path.split('/')[1] ?? '');

/** Where each file uses tables of other folders. */
function foreignUses(files: ReadonlyMap<string, string>, owners: ReadonlyMap<string, Owner>) {
  return [...files].map(([path, text]) => {
    const uses = usesOf(path, text, owners);
    const foreign = (tables: ReadonlySet<string>): string[] =>
      [...tables].filter((table) => !path.startsWith(`${owners.get(table)?.folder}/`)).sort();
    const reads = foreign(uses.reads);
    const downstream = reads.filter((table) => levelOf(owners.get(table)?.folder ?? '') > levelOf(path));
    return {
      path,
      reads,
      downstream,
      writes: foreign(uses.writes),
      repositories: foreign(uses.repositories),
    };
  });
}

describe('tables', () => {
  const owners = ownersOf(sources);
  const uses = foreignUses(sources, owners);
  const listed = (name: 'reads' | 'writes' | 'downstream'): Record<string, string> =>
    Object.fromEntries(
      uses.filter((use) => use[name].length > 0).map((use) => [use.path, use[name].join(' ')]),
    );

  it('are all found', () => {
    const entities = readFileSync(join(root, 'src/entities.ts'), 'utf8').match(/^import \{/gm);
    expect(owners.size).toBe(entities?.length);
  });

  it('are written by the folder of their entity only', () => {
    expect(listed('writes')).toEqual(
      Object.fromEntries(secondWriters.map(({ path, tables }) => [path, tables])),
    );
  });

  it('have repositories in the folder of their entity only', () => {
    expect(uses.filter(({ repositories }) => repositories.length > 0)).toEqual([]);
  });

  it('are read elsewhere for a reason', () => {
    expect(listed('reads')).toEqual(
      Object.fromEntries(foreignReads.map(({ path, tables }) => [path, tables])),
    );
  });

  it('are read by areas above their own only where the reason says so', () => {
    expect(listed('downstream')).toEqual(
      Object.fromEntries(
        foreignReads.flatMap(({ path, downstream }) =>
          downstream === undefined ? [] : [[path, downstream]],
        ),
      ),
    );
  });

  it('are named in queries files, apart from parts of statements and processes without a pool', () => {
    const elsewhere = foreignReads.filter(({ path }) => !path.endsWith('.queries.ts'));
    expect(elsewhere.filter(({ because }) => !/^(Part of|Without a pool)/.test(because))).toEqual([]);
  });

  it('are reached through the data source only where the list says so', () => {
    const found = [...sources].filter(
      ([path, text]) => !path.startsWith('src/database/') && /\bDataSource\b.*from 'typeorm'/.test(text),
    );
    expect(found.map(([path]) => path).sort()).toEqual(Object.keys(dataSourceUsers).sort());
  });
});

describe('these tests', () => {
  const owners = new Map([
    ['apps', { folder: 'src/apps/apps', entity: 'App' }],
    ['devices', { folder: 'src/devices/devices', entity: 'Device' }],
  ]);
  const usesIn = (path: string, text: string) => foreignUses(new Map([[path, text]]), owners)[0];

  it('find writes outside of the folder of the owner', () => {
    const write = '`UPDATE apps SET name = $1`';
    expect(usesIn('src/devices/devices/devices.queries.ts', write)).toMatchObject({ writes: ['apps'] });
    expect(usesIn('src/apps/apps/apps.queries.ts', write)).toMatchObject({ writes: [] });
    expect(usesIn('src/apps/apps-of-teams/a.queries.ts', write)).toMatchObject({ writes: ['apps'] });
    expect(usesIn('src/apps/apps/apps.queries.ts', '`DELETE FROM ${table}`')).toMatchObject({
      writes: [UNKNOWN],
    });
  });

  it('find reads, and those of tables downstream', () => {
    const read = '`SELECT FROM apps, devices AS device WHERE ${condition}`';
    expect(usesIn('src/devices/insights/insights.queries.ts', read)).toMatchObject({
      reads: ['apps', 'devices'],
      downstream: [],
    });
    expect(usesIn('src/apps/apps/apps.queries.ts', read)).toMatchObject({ downstream: ['devices'] });
  });

  it('find repositories and joins of TypeORM', () => {
    const service = `constructor(@InjectRepository(App) private readonly apps: Repository<App>) {}
      join() { return query.innerJoin(App, 'app'); }`;
    const found = usesIn('src/devices/devices/devices.service.ts', `class Service { ${service} }`);
    expect(found).toMatchObject({ repositories: ['apps'], reads: ['apps'] });
  });

  it('read statements as PostgreSQL does', () => {
    const { reads, writes } = tablesOf(`
      WITH gone AS (DELETE FROM a USING b WHERE a.id = b.id RETURNING extract(epoch FROM a.time))
      INSERT INTO c SELECT FROM (SELECT FROM d) AS x LEFT JOIN ONLY e ON x IS DISTINCT FROM f FOR UPDATE OF x
      ON CONFLICT (id) DO UPDATE SET id = excluded.id`);
    expect([...writes].sort()).toEqual(['a', 'c']);
    expect([...reads].sort()).toEqual(['b', 'd', 'e']);
    expect([...tablesOf('LOCK TABLE a IN SHARE MODE; UPDATE ONLY b AS c SET d = 1').writes]).toEqual([
      'a',
      'b',
    ]);
  });
});
