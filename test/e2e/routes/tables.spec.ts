import { randomUUID } from 'node:crypto';
import { createTenant } from '../../builders/identities.js';
import { AREAS, machineRoutes, routes, routesOf, sendTo } from '../../support/access/routes.js';
import { publicRows, rows } from '../../support/access/rows.js';
import { Api } from '../../support/http/api.js';
import { expectOpenApi } from '../../support/http/expect-openapi.js';

const names = routes.map(({ name }) => name);

it('has rows of routes that there are only', () => {
  expect(Object.keys({ ...rows, ...publicRows }).filter((name) => !names.includes(name))).toEqual([]);
});

it('has each route in one area', () => {
  const listed = (Object.keys(AREAS) as (keyof typeof AREAS)[]).flatMap(routesOf).map(({ name }) => name);
  expect(listed.toSorted()).toEqual(names.toSorted());
});

it('lets neither users nor invalid tokens use the routes of runners and jobs', async () => {
  const { origin, token } = (await createTenant()).owner.api;
  const accepted: string[] = [];
  for (const { name, method } of machineRoutes) {
    const path = (name.split(' ')[1] ?? '').replaceAll(/\{\w+\}/g, randomUUID());
    for (const sent of [null, 'invalid', token, `slr_${'0'.repeat(48)}`]) {
      const response = await sendTo(new Api(origin, sent), method, path, {});
      expectOpenApi(method, path, response);
      if (response.status !== 401) accepted.push(`${name}: ${response.status} with ${sent}`);
    }
  }
  expect(accepted).toEqual([]);
});
