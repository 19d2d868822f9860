import { AppleError, type AppleErrorItem, item, pointerTo, refused } from '../apple-error.ts';

type Kind = 'string' | 'boolean' | 'number' | 'object';

/** What the body of a request must have. */
export interface BodyShape {
  readonly type: string;
  /** Of an update: that of the path. */
  readonly id?: string;
  /** Names that end with `?` can be missing or `null`; a list names the values. */
  readonly attributes?: Readonly<Record<string, Kind | readonly string[]>>;
  /** Types by name; names that end with `?` can be missing, or their data `null`. */
  readonly relationships?: Readonly<Record<string, string>>;
}

/** A body that was read. */
export interface ReadBody {
  /** `undefined`: it is not there. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Ids by name; `null`: none, `undefined`: it is not there. */
  readonly related: Readonly<Record<string, string | null | undefined>>;
}

const ENTITY = 'The provided entity';

/** Reads `{data: {type, id, attributes, relationships}}`. @throws AppleError 409 with everything that is wrong */
export function readBody(body: unknown, shape: BodyShape): ReadBody {
  const data = recordOf(recordOf(body)?.['data']);
  if (data === undefined)
    throw refused(409, 'ENTITY_ERROR', `${ENTITY} is not valid`, "'data' is missing", pointerTo('/data'));
  const errors: AppleErrorItem[] = [];
  const add = (code: string, title: string, detail: string, pointer: string): void =>
    void errors.push(item(409, `ENTITY_ERROR${code}`, `${ENTITY} ${title}`, detail, pointerTo(pointer)));
  if (data['type'] !== shape.type)
    add('.TYPE_INVALID', 'has an invalid type', `'type' must be '${shape.type}'`, '/data/type');
  if (shape.id !== undefined && data['id'] !== shape.id)
    add('.ID_INVALID', 'has an invalid id', `'id' must be '${shape.id}', as in the path`, '/data/id');
  for (const name of Object.keys(data)) {
    if (
      !['type', 'id', 'attributes', 'relationships'].includes(name) ||
      (name === 'id' && shape.id === undefined)
    )
      add('.UNKNOWN', 'has an unknown member', `'${name}' is not a member of a resource`, `/data/${name}`);
  }
  const attributes = recordOf(data['attributes']) ?? {};
  const kinds = new Map(
    Object.entries(shape.attributes ?? {}).map(([name, kind]) => [name.replace('?', ''), kind]),
  );
  for (const [name, value] of Object.entries(attributes)) {
    const kind = kinds.get(name);
    const pointer = `/data/attributes/${name}`;
    if (kind === undefined)
      add(
        '.ATTRIBUTE.UNKNOWN',
        'includes an unknown attribute',
        `'${name}' is not an attribute on the resource '${shape.type}'`,
        pointer,
      );
    else if (value !== null && !isOf(value, kind))
      add(
        `.ATTRIBUTE.${typeof kind === 'string' ? 'TYPE' : 'INVALID'}`,
        'includes an attribute with an invalid value',
        `'${String(value)}' is not a valid value for the attribute '${name}'`,
        pointer,
      );
  }
  for (const name of Object.keys(shape.attributes ?? {})) {
    if (!name.endsWith('?') && attributes[name] == null)
      add(
        '.ATTRIBUTE.REQUIRED',
        'is missing a required attribute',
        `You must provide a value for the attribute '${name}' with this request`,
        `/data/attributes/${name}`,
      );
  }
  const relationships = recordOf(data['relationships']) ?? {};
  const related: Record<string, string | null> = {};
  const types = new Map(
    Object.entries(shape.relationships ?? {}).map(([name, type]) => [name.replace('?', ''), type]),
  );
  for (const [name, type] of types) {
    const given = recordOf(relationships[name])?.['data'];
    const target = recordOf(given);
    if (target === undefined && given == null && shape.relationships?.[name] === undefined) {
      if (given === null) related[name] = null;
      continue;
    }
    const pointer = `/data/relationships/${name}`;
    if (target === undefined)
      add(
        '.RELATIONSHIP.REQUIRED',
        'is missing a required relationship',
        `You must provide a value for the relationship '${name}' with this request`,
        pointer,
      );
    else if (target['type'] !== type || typeof target['id'] !== 'string')
      add(
        '.RELATIONSHIP.INVALID',
        'includes a relationship with an invalid value',
        `'${name}' must be one of '${type}'`,
        pointer,
      );
    else related[name] = target['id'];
  }
  for (const name of Object.keys(relationships)) {
    if (!types.has(name))
      add(
        '.RELATIONSHIP.UNKNOWN',
        'includes an unknown relationship',
        `'${name}' is not a relationship on the resource '${shape.type}'`,
        `/data/relationships/${name}`,
      );
  }
  if (errors.length > 0) throw new AppleError(errors);
  return { attributes, related };
}

/** Reads `{data: [{type, id}, …]}` of a change of a relationship. @throws AppleError 409 */
export function readLinkage(body: unknown, type: string): string[] {
  const data = recordOf(body)?.['data'];
  const ids = Array.isArray(data) ? data.map((one) => idOf(one, type)) : [undefined];
  if (ids.length > 0 && ids.every((id) => id !== undefined)) return ids;
  throw refused(
    409,
    'ENTITY_ERROR.RELATIONSHIP.INVALID',
    `${ENTITY} includes a relationship with an invalid value`,
    `'data' must be a list of '${type}'`,
    pointerTo('/data'),
  );
}

/** Reads `{data: {type, id}}` of a change of a relationship. @throws AppleError 409 */
export function readRelated(body: unknown, type: string): string {
  const id = idOf(recordOf(body)?.['data'], type);
  if (id !== undefined) return id;
  throw refused(
    409,
    'ENTITY_ERROR.RELATIONSHIP.INVALID',
    `${ENTITY} includes a relationship with an invalid value`,
    `'data' must be one of '${type}'`,
    pointerTo('/data'),
  );
}

function idOf(value: unknown, type: string): string | undefined {
  const { type: given, id } = recordOf(value) ?? {};
  return given === type && typeof id === 'string' ? id : undefined;
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function isOf(value: unknown, kind: Kind | readonly string[]): boolean {
  return typeof kind === 'string' ? typeof value === kind : kind.includes(value as string);
}
