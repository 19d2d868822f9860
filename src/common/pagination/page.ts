import type { Request, Response } from 'express';
import { validatedFields } from '../validation/validated-fields.js';
import { DEFAULT_LIMIT, type PageQuery } from './page-query.dto.js';

/** A part of a list and the length of the whole list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** A part of a list that is read on from a cursor; nothing is counted. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  /** `null`: it is the last one. */
  readonly next: string | null;
}

/** The bounds of a page, with the defaults filled in. */
export function boundsOf(query: PageQuery): { limit: number; offset: number } {
  return { limit: query.limit ?? DEFAULT_LIMIT, offset: query.offset ?? 0 };
}

/**
 * Sends a page: the body is the bare array of its items, the headers hold the rest: the length of the whole list
 * in `X-Total-Count`, the neighbouring pages in `Link` (RFC 8288), as relative references that hold behind any proxy.
 *
 * @param toDto maps an item to what is sent; by default it is sent unchanged
 * @returns the body
 */
export function sendPage<T>(response: Response, query: PageQuery, page: Page<T>): T[];
export function sendPage<T, D>(
  response: Response,
  query: PageQuery,
  page: Page<T>,
  toDto: (item: T) => D,
): D[];
export function sendPage<T, D>(
  response: Response,
  query: PageQuery,
  page: Page<T>,
  toDto?: (item: T) => D,
): (T | D)[] {
  const { limit, offset } = boundsOf(query);
  const last = Math.max(0, Math.ceil(page.total / limit) - 1) * limit;
  const url = knownUrl(response.req, query);
  const links = [link(url, 'first', limit, 0), link(url, 'last', limit, last)];
  if (offset > 0) links.push(link(url, 'prev', limit, Math.max(0, offset - limit)));
  if (offset + limit < page.total) links.push(link(url, 'next', limit, offset + limit));
  response.setHeader('X-Total-Count', String(page.total));
  response.setHeader('Link', links.join(', '));
  return toDto ? page.items.map(toDto) : [...page.items];
}

/** As `sendPage`, for a page by a cursor: `Link` has the first and the next page, and there is no length. @returns the body */
export function sendCursorPage<T>(
  response: Response,
  query: PageQuery & { readonly cursor?: string },
  { items, next }: CursorPage<T>,
): T[] {
  const url = knownUrl(response.req, query);
  url.searchParams.set('limit', String(boundsOf(query).limit));
  const links = [['first', 'first'], ...(next === null ? [] : [['next', next]])].map(([rel, cursor]) => {
    url.searchParams.set('cursor', cursor!);
    return `<${url.pathname}${url.search}>; rel="${rel}"`;
  });
  response.setHeader('Link', links.join(', '));
  return [...items];
}

/** The URL of a request with the query parameters that its route has: others may be of any length, and repeated four times. */
function knownUrl({ originalUrl }: Request, query: PageQuery): URL {
  const url = new URL(originalUrl, 'http://host');
  const known = new Set(validatedFields(query.constructor));
  for (const name of new Set(url.searchParams.keys())) if (!known.has(name)) url.searchParams.delete(name);
  return url;
}

function link(url: URL, rel: string, limit: number, offset: number): string {
  url.searchParams.set('limit', String(limit));
  url.searchParams.set('offset', String(offset));
  return `<${url.pathname}${url.search}>; rel="${rel}"`;
}
