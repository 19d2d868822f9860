import type { Response } from 'supertest';
import { depth } from '../../setup/depth.js';
import { makeObjects, type Objects, parametersOf, pathOf } from './objects.js';
import { inputFor, type Route, rowOf, sendTo } from './routes.js';
import type { Input } from './rows.js';
import { sample } from './sample.js';
import { createWorld, type World } from './world.js';
import { expectOpenApi } from '../http/expect-openapi.js';
import { bodyFieldsOf } from '../http/openapi-document.js';
import { texts, values } from '../http/hostile-values.js';

/*
 * Hostile values in every id, query parameter and body field of every route of openapi.json, one at a time. Nothing may fail
 * with a 5xx, and every response must be documented. New routes are found by themselves.
 */

/** Requests to one route: a bound for the time that this takes. A sample of all combinations, the same in every run. */
const MAX_REQUESTS = depth.attacksPerRoute;

/** One request with one hostile value. */
interface Attack {
  readonly what: string;
  readonly path: string;
  readonly input: Input;
}

/** Sends hostile values to each of some routes. */
export function testHostileInput(routes: readonly Route[]): void {
  describe('hostile values are refused', () => {
    let shared: World;

    beforeAll(async () => {
      shared = await createWorld();
    });

    it.each(routes.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
      // Not where a value may lock the caller out of the organization.
      const isAlone = rowOf(route).alone === true || route.name.endsWith('/{organizationId}');
      const world = isAlone ? await createWorld() : shared;
      const objects = await makeObjects(world, route.name);
      const input = await inputFor(route, objects);
      const { api } = world.tenant.owner;
      const failures: string[] = [];
      for (const { what, path, input: sent } of sample(
        attacksOn(route, objects, input),
        MAX_REQUESTS,
        route.name,
      )) {
        const response = await sendTo(api, route.method, path, sent);
        const problem = problemOf(route, path, response);
        if (problem !== null) failures.push(`${what}: ${problem}`);
      }
      expect(failures).toEqual([]);
    });

    it('has left the server alive', async () => {
      expect((await shared.tenant.owner.api.get('/v1/users/me')).status).toBe(200);
    });
  });
}

function problemOf(route: Route, path: string, response: Response): string | null {
  if (response.status >= 500) return `${response.status} ${response.text.slice(0, 200)}`;
  try {
    // What is no path of this route any more is another one, or none.
    if (path.split('?', 1)[0]?.split('/').every(isPlain)) expectOpenApi(route.method, path, response);
    return null;
  } catch (error) {
    return String(error);
  }
}

const isPlain = (segment: string): boolean => /^[\w-]*$/.test(segment);

function attacksOn(route: Route, objects: Objects, input: Input): Attack[] {
  const path = pathOf(objects);
  const body = (input.body ?? {}) as Record<string, unknown>;
  const queries = (route.operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return [
    ...parametersOf(route.name).flatMap((parameter) =>
      texts.map((text) => ({
        what: `${parameter} ${shown(text)}`,
        path: pathOf({ ...objects, ids: { ...objects.ids, [parameter]: text || 'x' } }),
        input,
      })),
    ),
    ...queries.flatMap(({ name }) =>
      [...texts.map((text) => `${name}=${text}`), `${name}[a]=1`, `${name}=1&${name}=2`, `${name}[]=`].map(
        (query) => ({
          what: `?${shown(query)}`,
          path,
          input: { ...input, query: [query, ...withoutParameter(input.query, name)].join('&') },
        }),
      ),
    ),
    ...[...new Set([...bodyFieldsOf(route.operation), ...Object.keys(body)])].flatMap((field) =>
      values.map((value) => ({
        what: `body.${field} ${shown(JSON.stringify(value))}`,
        path,
        input: { ...input, body: { ...body, [field]: value } },
      })),
    ),
    ...(input.body === undefined ? [] : values.filter(isObject)).map((value) => ({
      what: `body ${shown(JSON.stringify(value))}`,
      path,
      input: { ...input, body: value },
    })),
  ];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function withoutParameter(query: string | undefined, name: string): string[] {
  return (query ?? '').split('&').filter((pair) => pair !== '' && !pair.startsWith(`${name}=`));
}

function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text;
}
