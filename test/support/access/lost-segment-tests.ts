import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { depth } from '../../setup/depth.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { makeObjects, parametersOf, pathOf } from './objects.js';
import type { Route } from './routes.js';
import { sample } from './sample.js';
import { createWorld, type World } from './world.js';

/*
 * Every id in the path of every route of openapi.json is replaced by what leaves another path once a client, a proxy or a
 * server normalizes it: nothing of that is a request to what contains the object. Nothing encodes or normalizes the
 * requests of these tests. A DELETE with a parameter that belongs to a part of its object is none of the whole. New routes
 * are found by themselves.
 */

/** Ids that a path loses. */
const LOST = [
  '',
  '.',
  '..',
  '%2e',
  '%2E%2e',
  '.%2e',
  '..%2f',
  '%2f..',
  '%5c',
  '..%5C',
  'a%2f..%2f..',
  '..\\',
];

/** Sends paths with lost segments to each of some routes. */
export function testLostSegments(routes: readonly Route[]): void {
  describe('a path that loses a segment is none', () => {
    let world: World;

    beforeAll(async () => {
      world = await createWorld();
    });

    it.each(routes.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
      const objects = await makeObjects(world, route.name);
      const before = await changes(world);
      const path = pathOf(objects);
      const paths = [
        `${path}/`,
        `${path}/..`,
        `${path}/./`,
        path.replace(/\/(?=[^/]+$)/, '//'),
        path.replace('/v1/', '/v1//'),
        path.replace('/v1/', '/v1/./'),
        ...parametersOf(route.name).flatMap((parameter) =>
          LOST.map((lost) => pathOf({ ...objects, ids: { ...objects.ids, [parameter]: lost } })),
        ),
      ];
      const answered: string[] = [];
      for (const each of sample(paths, depth.attacksPerRoute, route.name)) {
        const { status, body } = await send(world, route.method, each);
        if (status !== 404 || !body.includes('"Resource not found."'))
          answered.push(`${each}: ${status} ${body}`);
      }
      if (route.method === 'delete') {
        const { status, body } = await send(world, route.method, `${path}?ofAPart=1`);
        if (status !== 400 || !body.includes('nothing was deleted'))
          answered.push(`${path}?: ${status} ${body}`);
      }
      expect(answered).toEqual([]);
      expect(await changes(world)).toEqual(before);
    });
  });
}

/** How much has changed in an organization, by its audit log, and what remains of it. */
function changes({ tenant: { organizationId } }: World): Promise<unknown[]> {
  return query(
    testEnvironment().databaseUrl,
    `SELECT (SELECT count(*) FROM audit_events WHERE organization_id = $1) AS changes,
       (SELECT count(*) FROM apps WHERE organization_id = $1) AS apps`,
    [organizationId],
  );
}

/** Sends a request to exactly this path. */
function send(
  { tenant: { owner } }: World,
  method: string,
  path: string,
): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(owner.api.origin);
  const headers = { authorization: `Bearer ${owner.token}` };
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, method: method.toUpperCase(), headers }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    })
      .on('error', reject)
      .end();
  });
}
