import type { Response } from 'supertest';
import { isAccountPermission, type Permission, permissions } from '../../../src/common/access/permissions.js';
import { type Caller, callersFor, type Demand, judge, type Outcome } from './callers.js';
import { makeObjects, type Objects, parametersOf, pathOf } from './objects.js';
import { inputFor, type Route, rowOf, sendTo } from './routes.js';
import { type Input, publicRows } from './rows.js';
import { sample } from './sample.js';
import { createWorld, type World } from './world.js';
import { depth } from '../../setup/depth.js';
import { expectOpenApi } from '../http/expect-openapi.js';

/*
 * Every route of openapi.json × every caller, against the table in src/common/access/permissions.ts. A new route is
 * found by itself; it needs an entry in test/support/resources/resources.ts or a row in test/support/access/rows.ts when it takes a body or
 * has no permission of a role.
 */

/** Callers of one route: a sample of all, the same in every run. */
const MAX_CALLERS = depth.callersPerRoute;

/** Routes of organizations that tokens may call which are limited to apps: they show what these have. */
const OF_APPS = [
  'GET /v1/jobs',
  'GET /v1/organizations/{organizationId}/app-summaries',
  'GET /v1/organizations/{organizationId}/changes',
  'GET /v1/organizations/{organizationId}/events',
  'GET /v1/organizations/{organizationId}/inbox',
];

let world: World;

/** Sends requests of every caller to each of some routes. */
export function testCallers(routes: readonly Route[]): void {
  describe('every caller gets what the table of permissions says', () => {
    beforeAll(async () => {
      world = await createWorld();
    });

    it.each(routes.map((route) => [route.name, route] as const))('%s', async (_name, route) => {
      requireRow(route);
      const callers = sample(callersFor(needsOf(route)), MAX_CALLERS, route.name);
      const expected = new Map(callers.map((caller) => [caller, outcomeOf(route, caller)]));
      const isAllowed = (caller: Caller): boolean => expected.get(caller) === 'allowed';
      const worldOf = (): Promise<World> | World => (rowOf(route).alone ? createWorld() : world);
      const shared = await makeObjects(await worldOf(), route.name);
      const input = await inputFor(route, shared);
      const answers = new Map<Caller, Response>();
      // Those who must be refused come first: they change nothing. Then each of the others gets objects of its own.
      await Promise.all(
        callers
          .filter((caller) => !isAllowed(caller))
          .map(async (caller) => answers.set(caller, await call(route, caller, shared, input))),
      );
      await Promise.all(
        callers.filter(isAllowed).map(async (caller) => {
          if (route.method === 'get') {
            answers.set(caller, await call(route, caller, shared, input));
            return;
          }
          const objects = await makeObjects(await worldOf(), route.name);
          answers.set(caller, await call(route, caller, objects, await inputFor(route, objects)));
        }),
      );
      expect(differencesOf(route, expected, answers)).toEqual([]);
      for (const answer of answers.values()) expectOpenApi(route.method, pathOf(shared), answer);
    });
  });
}

/** One readable line for each caller who did not get what it should. */
function differencesOf(
  route: Route,
  expected: ReadonlyMap<Caller, Outcome>,
  answers: ReadonlyMap<Caller, Response>,
): string[] {
  return [...expected].flatMap(([caller, wanted]) => {
    const answer = answers.get(caller);
    if (answer !== undefined && fits(route, answer.status, wanted)) return [];
    const { code = '' } = (answer?.body ?? {}) as { code?: string };
    return [
      `${caller.name.padEnd(46)} expected ${String(wanted).padEnd(7)} got ${answer?.status} ${code}`.trimEnd(),
    ];
  });
}

/** Fails if no row says what to expect of the route. */
function requireRow(route: Route): void {
  const { name, operation } = route;
  const permission = operation['x-permission'];
  const problems: string[] = [];
  if ((permission === undefined) !== (publicRows[name] !== undefined)) {
    problems.push('has no x-permission and no row in publicRows, or both');
  }
  if (permission !== undefined && !permissions.includes(permission)) {
    problems.push(`has the unknown permission ${permission}`);
  }
  if (permission !== undefined && isAccountPermission(permission) && rowOf(route).rule === undefined) {
    problems.push('has a permission of every user and needs a row with a rule');
  }
  if (operation.requestBody !== undefined && rowOf(route).input === undefined) {
    problems.push('takes a body and needs a row with an input');
  }
  expect(problems).toEqual([]);
}

/** What the route asks for, one after the other. */
function demandsOf(route: Route): Demand[] {
  const permission = route.operation['x-permission'];
  const first =
    permission === undefined ? publicRows[route.name]?.withToken : { of: ownerOf(route), permission };
  return [first, ...[rowOf(route).also].flat()].filter((demand): demand is Demand => demand != null);
}

/** What the permission is checked for. */
function ownerOf({ name }: Route): Demand['of'] {
  if (OF_APPS.includes(name)) return 'apps';
  const parameters = parametersOf(name);
  if (parameters.includes('appId') || parameters.includes('jobId')) return 'app';
  return parameters.includes('organizationId') ? 'organization' : 'account';
}

function needsOf(route: Route): Permission[] {
  return demandsOf(route).map(({ permission }) => permission);
}

function outcomeOf(route: Route, caller: Caller): Outcome {
  if (caller.token === 'invalid') return 401;
  if (caller.token === 'none') return publicRows[route.name]?.anonymous ?? 401;
  for (const demand of demandsOf(route)) {
    const outcome = judge(caller, demand, needsOf(route));
    if (outcome !== 'allowed') return outcome;
  }
  return rowOf(route).rule?.(caller) ?? 'allowed';
}

function fits(route: Route, status: number, wanted: Outcome): boolean {
  if (wanted !== 'allowed') return status === wanted;
  return rowOf(route).answers?.includes(status) ?? (status >= 200 && status < 300);
}

async function call(route: Route, caller: Caller, objects: Objects, input: Input): Promise<Response> {
  return sendTo(await caller.apiIn(objects.world, needsOf(route)), route.method, pathOf(objects), input);
}
