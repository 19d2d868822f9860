import { type Actor, createActor } from '../../builders/identities.js';
import { OwnSite } from '../../support/servers/own-site.js';
import { expectError } from '../../support/http/expect-error.js';

let site: OwnSite;
beforeAll(async () => {
  site = await OwnSite.start({ MAX_ORGANIZATIONS_PER_USER: '3' });
});
afterAll(() => site.dispose());

const create = (actor: Actor, name = 'Acme') => actor.api.post('/v1/organizations', { name });

it('limits the organizations of a user, also when several are created at once', async () => {
  const actor = await createActor(site);
  const responses = await Promise.all(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => create(actor, name)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
  expectError(await create(actor), 409, 'organization_limit_reached');
  expect((await create(await createActor(site))).status).toBe(201);
});

it('counts only what the user owns now', async () => {
  const actor = await createActor(site);
  for (const name of ['A', 'B', 'C']) await create(actor, name);
  const [first] = (await actor.api.get('/v1/organizations')).body as { id: string }[];
  expect((await actor.api.delete(`/v1/organizations/${first?.id ?? ''}`)).status).toBe(204);
  expect((await create(actor)).status).toBe(201);
  await site.query(`UPDATE members SET role = 'member' WHERE user_id = $1`, [actor.userId]);
  expect((await create(actor)).status).toBe(201);
});
