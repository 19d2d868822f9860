import { illegalParameter, invalidParameter, missingParameter } from '../apple-error.ts';
import { FIELDS } from './fields.ts';

/** What the query of a call can have. */
export interface QuerySpec {
  /** Names of filters, with the values that they take; `null`: any. */
  readonly filters?: Readonly<Record<string, readonly string[] | null>>;
  /** Filters that must be there. */
  readonly required?: readonly string[];
  /** Types whose fields can be chosen. */
  readonly fields?: readonly string[];
  readonly include?: readonly string[];
  readonly sort?: readonly string[];
  /** Whether it answers pages. */
  readonly isList?: boolean;
  /** Relationships whose number can be limited. */
  readonly limits?: readonly string[];
}

/** A query that was read. */
export interface Query {
  /** `null`: no such filter. */
  filter(name: string): readonly string[] | null;
  /** By type. */
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly include: readonly string[];
  readonly sort: readonly string[];
  readonly limit: number;
  readonly offset: number;
}

/** Small, so that clients meet more than one page. Apple's own is not documented for each call. */
const USUAL_LIMIT = 20;
const HIGHEST_LIMIT = 200;

/** @throws AppleError 400 for what the call does not have */
export function readQuery(params: URLSearchParams, spec: QuerySpec): Query {
  const filters = new Map<string, readonly string[]>();
  const fields = new Map<string, readonly string[]>();
  let include: readonly string[] = [];
  let sort: readonly string[] = [];
  let [limit, offset] = [USUAL_LIMIT, 0];
  for (const [name, value] of params) {
    const [, kind = name, about = ''] = /^(\w+)\[([\w.]+)\]$/.exec(name) ?? [];
    const values = value.split(',');
    if (kind === 'filter' && Object.hasOwn(spec.filters ?? {}, about)) {
      filters.set(about, values.map(knownIn(spec.filters?.[about] ?? null, name, 'filter value')));
    } else if (kind === 'fields' && spec.fields?.includes(about) === true) {
      fields.set(about, values.map(knownIn(FIELDS[about] ?? [], name, 'field name')));
    } else if (kind === 'limit' && (about === '' ? spec.isList : spec.limits?.includes(about)) === true) {
      const wanted = numberOf(name, value);
      if (about === '') limit = wanted;
    } else if (name === 'include' && spec.include !== undefined) {
      include = values.map(knownIn(spec.include, name, 'relationship name'));
    } else if (name === 'sort' && spec.sort !== undefined) {
      sort = values.map(
        knownIn(
          spec.sort.flatMap((one) => [one, `-${one}`]),
          name,
          'sort field',
        ),
      );
    } else if (name === 'cursor' && spec.isList === true) {
      offset = offsetOf(value);
    } else {
      throw illegalParameter(name);
    }
  }
  const missing = spec.required?.find((name) => !filters.has(name));
  if (missing !== undefined) throw missingParameter(`filter[${missing}]`);
  return { filter: (name) => filters.get(name) ?? null, fields, include, sort, limit, offset };
}

/** The cursor of the page that begins there. */
export function cursorOf(offset: number): string {
  return Buffer.from(`offset:${offset}`).toString('base64url');
}

function offsetOf(cursor: string): number {
  const [, offset] = /^offset:(\d+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (offset === undefined) throw invalidParameter('cursor', `'${cursor}' is not a valid cursor`);
  return Number(offset);
}

function numberOf(name: string, value: string): number {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= HIGHEST_LIMIT) return number;
  throw invalidParameter(name, `'${value}' is not a valid limit: it must be 1 to ${HIGHEST_LIMIT}`);
}

function knownIn(
  known: readonly string[] | null,
  parameter: string,
  what: string,
): (value: string) => string {
  return (value) => {
    if (value !== '' && (known === null || known.includes(value))) return value;
    throw invalidParameter(parameter, `'${value}' is not a valid ${what}`);
  };
}
