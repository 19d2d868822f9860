import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { givePassword, signedInBrowser } from '../../builders/person.js';
import { createWorld, type World } from '../../support/access/world.js';
import { makeObjects, pathOf } from '../../support/access/objects.js';
import { inputFor, machineRoutes, type Route, routes } from '../../support/access/routes.js';
import { PageScript } from '../../support/http/page-script.js';

/* Every route of openapi.json with the session of a page: public routes, but for one, and those for machines do not see it. */

const isPublic = ({ operation }: Route): boolean => operation['x-permission'] === undefined;
/** Those that do more for a page: discovery for devices, the list of channels for people. */
const FOR_PAGES = ['GET /v1/apps/{appId}/channels'];
const isDownload = ({ name }: Route): boolean => name.endsWith('/download');
const without = { Cookie: null, 'X-CSRF-Token': null };
const valid: Readonly<Record<string, string>> = {};
const foreign = { 'Sec-Fetch-Site': 'same-site' };

let world: World;
let script: PageScript;
beforeAll(async () => {
  world = await createWorld();
  await givePassword(world.tenant.owner);
  script = await PageScript.of(await signedInBrowser(world.tenant.owner));
});

/** A path of objects that do not exist. */
const nowhere = ({ name }: Route): string =>
  (name.split(' ')[1] ?? '').replaceAll(/\{\w+\}/g, () => randomUUID());

const outcomeOf = ({ ok, status, body }: Response): string =>
  ok ? String(status) : `${status} ${(body as { code?: string } | null)?.code}`;

const blind = routes.filter((route) => isPublic(route) && !FOR_PAGES.includes(route.name));
it.each(blind.map((route) => [route.name, route] as const))(
  '%s is the same with and without it',
  async (name, route) => {
    const objects = await makeObjects(world, name);
    const { query = '', body } = await inputFor(route, objects);
    const path = `${pathOf(objects)}?${query}`;
    const expected = outcomeOf(await script.send(route.method, path, without, body));
    for (const headers of [valid, foreign, { 'X-CSRF-Token': 'wrong' }]) {
      expect(outcomeOf(await script.send(route.method, path, headers, body))).toBe(expected);
    }
  },
);

it('routes for machines, and downloads of uploaded files, take tokens only', async () => {
  const tokenOnly = [...machineRoutes, ...routes.filter((route) => !isPublic(route) && isDownload(route))];
  expect(tokenOnly.length).toBeGreaterThan(machineRoutes.length);
  const accepted: string[] = [];
  for (const route of tokenOnly) {
    for (const headers of [valid, foreign]) {
      const outcome = outcomeOf(await script.send(route.method, nowhere(route), headers));
      if (outcome !== '401 not_authenticated') accepted.push(`${route.name}: ${outcome}`);
    }
  }
  expect(accepted).toEqual([]);
});

it.each(FOR_PAGES)('%s takes it, with the token of the page and from this origin only', async (name) => {
  const [route] = routes.filter((each) => each.name === name) as [Route];
  const objects = await makeObjects(world, name);
  const path = pathOf(objects);
  const send = async (headers: Readonly<Record<string, string | null>>): Promise<string> =>
    outcomeOf(await script.send(route.method, path, headers));
  expect(await send(without)).toBe('401 not_authenticated');
  expect(await send({ 'X-CSRF-Token': null })).toBe('401 not_authenticated');
  expect(await send({ Cookie: null })).toBe('401 not_authenticated');
  expect(await send({ 'X-CSRF-Token': 'wrong' })).toBe('403 csrf_check_failed');
  expect(await send(foreign)).toBe('403 csrf_check_failed');
  expect(await send(valid)).toBe('200');
});

it('all others take it, with the token of the page and from this origin only', async () => {
  const problems: string[] = [];
  for (const route of routes.filter((each) => !isPublic(each) && !isDownload(each))) {
    const send = async (headers: Readonly<Record<string, string | null>>): Promise<string> =>
      outcomeOf(await script.send(route.method, nowhere(route), headers));
    const outcomes = [
      await send({ 'X-CSRF-Token': null }),
      await send(foreign),
      (await send(valid)).startsWith('401') ? 'refused' : 'accepted',
    ].join(', ');
    const expected = '401 not_authenticated, 403 csrf_check_failed, accepted';
    if (outcomes !== expected) problems.push(`${route.name}: ${outcomes}`);
  }
  expect(problems).toEqual([]);
});
