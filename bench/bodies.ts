import { randomUUID } from 'node:crypto';
import {
  bodyFieldsOf,
  type OpenApiOperation,
  readOpenApiPaths,
} from '../test/support/http/openapi-document.ts';
import { type Instance, withInstance } from './instance.ts';
import { rounded } from './measure.ts';
import { processorTime } from './processes.ts';
import { Results } from './results.ts';

/**
 * `npm run bench:bodies`: processor time of the server for JSON bodies that are as bad as the bounds of bodies
 * allow, and worse, at every route that reads JSON. docs/performance.md has the figures.
 */
const REQUESTS = 10;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const keys = (count: number): object =>
  Object.fromEntries(numbers(count).map((index) => [`key${index}`, index]));

/** Makes a body with the fields of a route. */
const shapes: Readonly<Record<string, (fields: readonly string[]) => object>> = {
  'a usual one': (fields) => valuesOf(fields, 'x'),
  '1,000 keys': (fields) => ({ ...keys(1000 - fields.length), ...valuesOf(fields, 'x') }),
  'objects of 900 keys': (fields) => valuesOf(fields.slice(0, 20), keys(900)),
  'lists of 19,000 values': (fields) => valuesOf(fields, numbers(19_000 / Math.max(1, fields.length))),
  '30 levels': (fields) => valuesOf(fields, JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`)),
  'texts of 900 kB': (fields) => valuesOf(fields, 'x'.repeat(900_000 / Math.max(1, fields.length))),
  '105,000 keys (refused)': () => keys(105_000),
};

function valuesOf(fields: readonly string[], value: unknown): object {
  return Object.fromEntries(fields.map((field) => [field, value]));
}

interface JsonRoute {
  readonly method: string;
  readonly path: string;
  readonly operation: OpenApiOperation;
}

const routes: readonly JsonRoute[] = Object.entries(readOpenApiPaths()).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { requestBody }]) => requestBody?.content['application/json'] !== undefined)
    .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

await withInstance(async (instance) => {
  const organizations = await instance.call<{ id: string }[]>('GET', '/v1/organizations');
  const { id: appId } = await instance.call<{ id: string }>('POST', '/v1/apps', { name: 'Benchmark' });
  const ids = { organizationId: organizations[0]?.id ?? '', appId };
  const pathOf = ({ path }: JsonRoute): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name as keyof typeof ids] ?? randomUUID());
  const rows = [];
  for (const [shape, bodyOf] of Object.entries(shapes)) {
    const times: { route: string; milliseconds: number }[] = [];
    for (const route of routes) {
      const body = JSON.stringify(bodyOf(bodyFieldsOf(route.operation)));
      times.push({
        route: `${route.method} ${route.path}`,
        milliseconds: await timeOf(instance, route.method, pathOf(route), body),
      });
    }
    times.sort((a, b) => b.milliseconds - a.milliseconds);
    const [worst] = times;
    const middle = times[Math.floor(times.length / 2)];
    rows.push({
      body: shape,
      'ms of a processor, median route': rounded(middle?.milliseconds ?? 0, 1),
      'worst route': rounded(worst?.milliseconds ?? 0, 1),
      which: worst?.route ?? '',
    });
  }
  const results = new Results('bodies');
  results.add(`${routes.length} routes, ${REQUESTS} requests each`, rows);
  await results.write();
});

/** Processor time of the server for one request, in milliseconds. */
async function timeOf(
  { origin, server, token }: Instance,
  method: string,
  path: string,
  body: string,
): Promise<number> {
  const pid = server.process.pid ?? 0;
  const before = await processorTime(pid);
  for (let sent = 0; sent < REQUESTS; sent++) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await fetch(origin + path, { method, headers, body });
    await response.arrayBuffer();
    if (response.status >= 500) throw new Error(`${method} ${path} was answered with ${response.status}.`);
  }
  return (((await processorTime(pid)) - before) / REQUESTS) * 1000;
}
