import { dirname } from 'node:path';
import ts from 'typescript';

/** The tables that one source file names. */
export interface TableUses {
  /** By INSERT, UPDATE, DELETE, TRUNCATE and LOCK TABLE. */
  readonly writes: ReadonlySet<string>;
  /** By FROM, JOIN and USING, also with a lock of rows. */
  readonly reads: ReadonlySet<string>;
  /** By injected repositories, which can write. */
  readonly repositories: ReadonlySet<string>;
}

/** The owner of a table is the folder of its entity. */
export interface Owner {
  readonly folder: string;
  readonly entity: string;
}

/** What a template inserts, and a table whose name only the running program knows. */
export const UNKNOWN = '?';

const NAME = String.raw`(?:ONLY\s+)?"?([a-z_][a-z_0-9]*|\?)"?`;
const WRITE = new RegExp(
  String.raw`\b(?:INSERT\s+INTO|DELETE\s+FROM|TRUNCATE(?:\s+TABLE)?|LOCK\s+TABLE|(?<!\b(?:FOR|DO|KEY|ON)\s+)UPDATE)\s+${NAME}`,
  'g',
);
// The second form is one more table after a comma: `FROM apps AS app, channels AS channel`.
const READ = new RegExp(
  String.raw`\b(?:(?<!\b(?:DELETE|DISTINCT|epoch)\s+)FROM|JOIN|USING)\s+(?:LATERAL\s+)?\(*${NAME}|,\s+${NAME}\s+AS\s`,
  'g',
);

/** The tables, and other names in their places, that a statement reads and writes. */
export function tablesOf(sql: string): Pick<TableUses, 'reads' | 'writes'> {
  const names = (pattern: RegExp): Set<string> =>
    new Set([...sql.matchAll(pattern)].flatMap(([, first, second]) => first ?? second ?? []));
  return { reads: names(READ), writes: names(WRITE) };
}

/** Every table with an entity, by name. @param sources by path */
export function ownersOf(sources: ReadonlyMap<string, string>): Map<string, Owner> {
  const owners = new Map<string, Owner>();
  for (const [path, text] of sources) {
    if (!path.endsWith('.entity.ts')) continue;
    for (const [, table = '', entity = ''] of text.matchAll(/^@Entity\('(\w+)'[^]*?^export class (\w+)/gm)) {
      owners.set(table, { folder: dirname(path), entity });
    }
  }
  return owners;
}

/** The tables that a source file names in SQL, in joins of TypeORM and by their repositories. */
export function usesOf(path: string, text: string, owners: ReadonlyMap<string, Owner>): TableUses {
  const tables = new Map([...owners].map(([table, { entity }]) => [entity, table]));
  const uses = { reads: new Set<string>(), writes: new Set<string>(), repositories: new Set<string>() };
  const visit = (node: ts.Node): void => {
    const sql = textOf(node);
    if (sql !== null) {
      const found = tablesOf(sql);
      for (const table of found.reads) if (owners.has(table)) uses.reads.add(table);
      for (const table of found.writes) if (owners.has(table) || table === UNKNOWN) uses.writes.add(table);
    }
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText().replace(/^.*\./s, '');
      const argument = node.arguments[0];
      const name = argument && (ts.isStringLiteral(argument) ? argument.text : argument.getText());
      const table =
        name === undefined ? undefined : (tables.get(name) ?? (owners.has(name) ? name : undefined));
      if (table !== undefined && ['InjectRepository', 'getRepository'].includes(called)) {
        uses.repositories.add(table);
      }
      if (table !== undefined && /^(inner|left)Join/.test(called)) uses.reads.add(table);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return uses;
}

/** A literal, with `?` for each expression in a template; `null`: the node is none. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => UNKNOWN + literal.text).join('');
}
