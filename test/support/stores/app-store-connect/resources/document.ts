import type { Reply } from '../../stand-in/reply.ts';
import { cursorOf, type Query } from './query.ts';

/** A resource of JSON:API. */
export interface Resource {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** By name. */
  readonly relationships?: Readonly<Record<string, () => Resource | readonly Resource[] | null>>;
}

/** The origin and path of a request. */
interface Here {
  readonly url: URL;
}

/** The document of one resource. */
export function oneOf(resource: Resource, query: Query, { url }: Here, status = 200): Reply {
  const body = {
    data: rendered(resource, query, url.origin, true),
    ...includedOf([resource], query, url.origin),
    links: { self: url.href },
  };
  return { status, body };
}

/** A page of resources. */
export function pageOf(
  resources: readonly Resource[],
  query: Query,
  { url }: Here,
  isEndless = false,
): Reply {
  const { limit, offset } = query;
  const page = resources.slice(offset, offset + limit);
  const next = isEndless ? offset : offset + limit;
  const hasNext = isEndless || next < resources.length;
  const nextUrl = new URL(url);
  nextUrl.searchParams.set('cursor', cursorOf(next));
  const body = {
    data: page.map((resource) => rendered(resource, query, url.origin, true)),
    ...includedOf(page, query, url.origin),
    links: { self: url.href, ...(hasNext ? { next: nextUrl.href } : {}) },
    meta: {
      paging: { total: resources.length, limit, ...(hasNext ? { nextCursor: cursorOf(next) } : {}) },
    },
  };
  return { status: 200, body };
}

/** Relationships have their `data` only when they are included: facts of `uploadToAsc.ts` of expo/eas-cli. */
function rendered(
  { type, id, attributes, relationships = {} }: Resource,
  query: Query,
  origin: string,
  isMain: boolean,
): object {
  const fields = query.fields.get(type);
  const isChosen = ([name]: [string, unknown]): boolean => fields === undefined || fields.includes(name);
  const self = `${origin}/v1/${type}/${id}`;
  const related = Object.entries(relationships)
    .filter(isChosen)
    .map(([name, target]) => {
      const isIncluded = isMain && query.include.includes(name);
      const data = isIncluded ? { data: linkage(target()) } : {};
      return [
        name,
        { ...data, links: { self: `${self}/relationships/${name}`, related: `${self}/${name}` } },
      ];
    });
  return {
    type,
    id,
    attributes: Object.fromEntries(Object.entries(attributes).filter(isChosen)),
    ...(related.length === 0 ? {} : { relationships: Object.fromEntries(related) as object }),
    links: { self },
  };
}

function includedOf(resources: readonly Resource[], query: Query, origin: string): { included?: object[] } {
  if (query.include.length === 0) return {};
  const found = new Map<string, Resource>();
  for (const { relationships = {} } of resources) {
    for (const name of query.include) {
      for (const target of [relationships[name]?.() ?? []].flat() as Resource[]) {
        found.set(`${target.type} ${target.id}`, target);
      }
    }
  }
  return { included: [...found.values()].map((resource) => rendered(resource, query, origin, false)) };
}

function linkage(target: Resource | readonly Resource[] | null): object | null {
  if (target === null) return null;
  const link = ({ type, id }: Resource): object => ({ type, id });
  return isList(target) ? target.map(link) : link(target);
}

function isList(target: Resource | readonly Resource[]): target is readonly Resource[] {
  return Array.isArray(target);
}
