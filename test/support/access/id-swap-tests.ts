import { depth } from '../../setup/depth.js';
import { makeObjects, type Objects, parametersOf, pathOf } from './objects.js';
import { type Input, publicRows } from './rows.js';
import { inputFor, type Route, rowOf, sendTo } from './routes.js';
import { sample } from './sample.js';
import { createWorld, type World } from './world.js';
import { expectOpenApi } from '../http/expect-openapi.js';

/*
 * Every id of every route of openapi.json, in the path and in the body, is replaced by that of another organization, and
 * those of the path by that of another object of the same organization. The caller owns the first organization, and is
 * nothing in the second. New routes are found by themselves.
 */

/** Requests to one route. */
const MAX_REQUESTS = depth.swapsPerRoute;

/** What a request with one foreign id is, and what it was answered. */
interface Swap {
  readonly what: string;
  readonly path: string;
  readonly input: Input;
  readonly wanted: (status: number) => boolean;
}

const isRefused = (status: number): boolean => status >= 400 && status < 500;

/** Whether a route takes ids, and is not one at which everyone may ask for every app. */
const isSwappable = ({ name, operation }: Route): boolean =>
  (name.includes('{') || operation.requestBody !== undefined) &&
  !(publicRows[name]?.anonymous === 'allowed' && parametersOf(name).length < 2);

/** Sends requests with foreign ids to each of some routes. */
export function testIdSwaps(routes: readonly Route[]): void {
  describe('ids of others are refused', () => {
    let own: World;
    let foreign: World;

    beforeAll(async () => {
      [own, foreign] = await Promise.all([createWorld(), createWorld()]);
    });

    it.each(routes.filter(isSwappable).map((route) => [route.name, route] as const))(
      '%s',
      async (_name, route) => {
        const [mine, beside, theirs] = await Promise.all([
          makeObjects(own, route.name),
          makeObjects(own, route.name),
          makeObjects(foreign, route.name),
        ]);
        const [input, foreignInput] = await Promise.all([inputFor(route, mine), inputFor(route, theirs)]);
        const swaps = [
          ...pathSwaps(route, mine, theirs, input, 'of another organization'),
          // The last parameter is what the request is about: alone, it may as well be another one of the same parent.
          ...pathSwaps(route, mine, beside, input, 'of another object').slice(0, -1),
          ...bodySwaps(mine, input, foreignInput),
        ];
        const failures: string[] = [];
        for (const { what, path, input: sent, wanted } of sample(swaps, MAX_REQUESTS, route.name)) {
          const response = await sendTo(own.tenant.owner.api, route.method, path, sent);
          expectOpenApi(route.method, path, response);
          if (!wanted(response.status))
            failures.push(`${what}: ${response.status} ${response.text.slice(0, 200)}`);
        }
        expect(failures).toEqual([]);
      },
    );

    it('has changed nothing in the other organization', async () => {
      const { owner, organizationId } = foreign.tenant;
      const path = `/v1/organizations/${organizationId}/audit-events?userId=${own.tenant.owner.userId}`;
      expect((await owner.api.get(path)).body).toEqual([]);
    });
  });
}

/** The paths in which one id is that of another object. */
function pathSwaps(route: Route, mine: Objects, others: Objects, input: Input, whose: string): Swap[] {
  // Where even the valid input is refused, its mistake may come first.
  const wanted = (status: number): boolean =>
    status === 404 || (isRefused(status) && rowOf(route).answers?.includes(status) === true);
  return parametersOf(route.name).flatMap((parameter) => {
    const other = others.ids[parameter] ?? '';
    if (other === mine.ids[parameter]) return [];
    const path = pathOf({ ...mine, ids: { ...mine.ids, [parameter]: other } });
    return [{ what: `${parameter} ${whose}`, path, input, wanted }];
  });
}

/** The bodies in which one id is that of another organization. */
function bodySwaps(mine: Objects, input: Input, foreignInput: Input): Swap[] {
  const body = { ...input.body } as Record<string, unknown>;
  const others = { ...foreignInput.body } as Record<string, unknown>;
  return Object.keys(body)
    .filter((key) => /Ids?$/.test(key) && body[key] !== null && body[key] !== others[key])
    .map((key) => ({
      what: `body.${key} of another organization`,
      path: pathOf(mine),
      input: { ...input, body: { ...body, [key]: others[key] } },
      wanted: isRefused,
    }));
}
