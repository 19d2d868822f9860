import { v7 as uuid } from 'uuid';
import { createApp } from '../../builders/app.js';
import { createMember, createTenant, type Tenant, type TestMember } from '../../builders/identities.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { uniqueName } from '../../support/unique-name.js';

const pathOf = (tenant: Tenant): string => `/v1/organizations/${tenant.organizationId}/teams`;

describe('a team', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await createTenant();
  });

  it('is created, shown, changed and deleted', async () => {
    const { api } = tenant.owner;
    const created = await api.post(pathOf(tenant), { name: ' Mobile ', description: 'Apps' });
    expect(created.status).toBe(201);
    const { id } = created.body as { id: string };
    const path = `${pathOf(tenant)}/${id}`;
    const shown = {
      id: expect.any(String),
      organizationId: tenant.organizationId,
      name: 'Mobile',
      description: 'Apps',
      totalTeamApps: 0,
      totalTeamMembers: 0,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    };
    expect(created.body).toEqual(shown);
    expect((await api.get(path)).body).toEqual(created.body);
    expect((await api.patch(path, { name: 'Web' })).body).toMatchObject({ name: 'Web', description: 'Apps' });
    expect((await api.patch(path, { description: null })).body).toMatchObject({
      name: 'Web',
      description: null,
    });
    expect((await api.patch(path, {})).status).toBe(200);
    expect((await api.delete(path)).status).toBe(204);
    for (const gone of [await api.get(path), await api.patch(path, { name: 'x' }), await api.delete(path)]) {
      expectError(gone, 404, 'team_not_found');
    }
  });

  it('has a name of its own in its organization, whatever its case', async () => {
    const { api } = tenant.owner;
    const [first, second] = [await createTeam(tenant), await createTeam(tenant)];
    const name = first.name.toUpperCase();
    expectError(await api.post(pathOf(tenant), { name }), 409, 'team_name_taken');
    expectError(await api.patch(second.path, { name }), 409, 'team_name_taken');
    expect((await api.patch(first.path, { name })).status).toBe(200);
    await createTeam(await createTenant(), { name });
    const raced = uniqueName('race');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post(pathOf(tenant), { name: raced })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('names every wrong field', async () => {
    const { api } = tenant.owner;
    const team = await createTeam(tenant);
    expectInvalid(await api.post(pathOf(tenant), {}), 'name');
    for (const body of [
      { name: '', description: 5 },
      { name: null, description: 'x'.repeat(1001) },
      { name: 'x'.repeat(129), description: ['a'] },
    ]) {
      expectInvalid(await api.post(pathOf(tenant), body), 'name', 'description');
      expectInvalid(await api.patch(team.path, body), 'name', 'description');
    }
  });

  it('is found by name, and by text in name or description', async () => {
    const own = await createTenant();
    const { api } = own.owner;
    const [a, b] = [
      await createTeam(own, { name: 'Android', description: 'Kotlin_' }),
      await createTeam(own, { name: 'iOS' }),
    ];
    const found = async (query: string): Promise<string[]> =>
      ((await api.get(`${pathOf(own)}?${query}`)).body as { id: string }[]).map(({ id }) => id);
    expect(await found('')).toEqual([a.id, b.id]);
    expect(await found('name=ANDROID')).toEqual([a.id]);
    expect(await found('name=Andro')).toEqual([]);
    expect(await found('query=O')).toEqual([a.id, b.id]);
    expect(await found('query=kotlin_')).toEqual([a.id]);
    expect(await found('query=_')).toEqual([a.id]);
    expect(await found('name=ios&query=kotlin')).toEqual([]);
    expect(await found('limit=1&offset=1')).toEqual([b.id]);
  });

  it('is for owners and admins', async () => {
    const team = await createTeam(tenant);
    const admin = await createMember(tenant, 'admin');
    const body = { name: uniqueName('team') };
    expect((await admin.api.post(pathOf(tenant), body)).status).toBe(201);
    for (const role of ['billing', 'member', 'viewer'] as const) {
      const { api, memberId } = await createMember(tenant, role);
      for (const response of [
        await api.get(pathOf(tenant)),
        await api.get(team.path),
        await api.get(`${team.path}/apps`),
        await api.get(`${team.path}/members`),
        await api.post(pathOf(tenant), body),
        await api.patch(team.path, body),
        await api.delete(team.path),
        await api.post(`${team.path}/members`, { memberId }),
        await api.post(`${team.path}/apps`, { appId: uuid() }),
        await api.delete(`${team.path}/apps/${uuid()}`),
        await api.delete(`${team.path}/members/${uuid()}`),
      ]) {
        expectError(response, 403, 'not_authorized');
      }
    }
  });

  it('does not exist for another organization', async () => {
    const team = await createTeam(tenant);
    const { owner: stranger, organizationId } = await createTenant();
    const moved = team.path.replace(tenant.organizationId, organizationId);
    for (const [path, code] of [
      [team.path, 'organization_not_found'],
      [moved, 'team_not_found'],
    ] as const) {
      for (const response of [
        await stranger.api.get(path),
        await stranger.api.patch(path, { name: 'x' }),
        await stranger.api.delete(path),
        await stranger.api.get(`${path}/apps`),
        await stranger.api.get(`${path}/members`),
        await stranger.api.post(`${path}/apps`, { appId: uuid() }),
        await stranger.api.post(`${path}/members`, { memberId: uuid() }),
        await stranger.api.delete(`${path}/apps/${uuid()}`),
        await stranger.api.delete(`${path}/members/${uuid()}`),
      ]) {
        expectError(response, 404, code);
      }
    }
    expectError(await tenant.owner.api.get(`${pathOf(tenant)}/x`), 404, 'team_not_found');
    expectError(await tenant.owner.api.get(`${pathOf(tenant)}/${uuid()}`), 404, 'team_not_found');
  });
});

describe('the apps of a team', () => {
  it('are assigned once, listed, counted and taken out again', async () => {
    const app = await createApp();
    const { tenant, api } = app;
    const team = await createTeam(tenant);
    const created = await api.post(`${team.path}/apps`, { appId: app.id.toUpperCase() });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.any(String),
      teamId: team.id,
      appId: app.id,
      app: (await api.get(app.path)).body as object,
      createdAt: expect.any(String),
    });
    expectError(await api.post(`${team.path}/apps`, { appId: app.id }), 409, 'app_already_in_team');
    expect((await api.get(`${team.path}/apps`)).body).toEqual([created.body]);
    expect((await api.get(team.path)).body).toMatchObject({ totalTeamApps: 1, totalTeamMembers: 0 });
    expect((await api.get(team.path)).body).not.toHaveProperty('teamApps');
    const withApps = await api.get(`${team.path}?relations=apps,members,nonsense`);
    expect(withApps.body).toMatchObject({ teamApps: [created.body], teamMembers: [] });
    const { id } = created.body as { id: string };
    const other = await createTeam(tenant);
    expectError(await api.delete(`${other.path}/apps/${id}`), 404, 'team_app_not_found');
    expectError(await api.delete(`${team.path}/apps/${app.id}`), 404, 'team_app_not_found');
    expect((await api.delete(`${team.path}/apps/${id}`)).status).toBe(204);
    expectError(await api.delete(`${team.path}/apps/${id}`), 404, 'team_app_not_found');
    expect((await api.get(app.path)).status).toBe(200);
  });

  it('are apps of the organization', async () => {
    const [tenant, foreign] = [await createTenant(), await createApp()];
    const team = await createTeam(tenant);
    for (const appId of [foreign.id, uuid()]) {
      expectError(await tenant.owner.api.post(`${team.path}/apps`, { appId }), 404, 'app_not_found');
    }
    for (const appId of [undefined, null, 'x', 5]) {
      expectInvalid(await tenant.owner.api.post(`${team.path}/apps`, { appId }), 'appId');
    }
  });

  it('are assigned once also by many at a time, and go with the app or the team', async () => {
    const app = await createApp();
    const { tenant, api } = app;
    const team = await createTeam(tenant);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post(`${team.path}/apps`, { appId: app.id })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    expect((await api.delete(app.path)).status).toBe(204);
    expect((await api.get(`${team.path}?relations=apps`)).body).toMatchObject({
      totalTeamApps: 0,
      teamApps: [],
    });
  });

  it('and members may be assigned while the team is deleted', async () => {
    const app = await createApp();
    const { tenant, api } = app;
    const { memberId } = await createMember(tenant, 'member');
    for (let round = 0; round < 5; round++) {
      const team = await createTeam(tenant);
      const answers = await Promise.all([
        api.post(`${team.path}/apps`, { appId: app.id }),
        api.delete(team.path),
        api.post(`${team.path}/members`, { memberId }),
      ]);
      expect(answers[1].status).toBe(204);
      for (const { status } of [answers[0], answers[2]]) expect([201, 404]).toContain(status);
    }
  });
});

describe('the members of a team', () => {
  it('are added once, listed, counted and taken out again', async () => {
    const tenant = await createTenant();
    const { api } = tenant.owner;
    const team = await createTeam(tenant);
    const ada = await createMember(tenant, 'viewer');
    const created = await api.post(`${team.path}/members`, { memberId: ada.memberId.toUpperCase() });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      teamId: team.id,
      memberId: ada.memberId,
      member: { id: ada.memberId, userId: ada.userId, role: 'viewer' },
    });
    expect((created.body as { member: object }).member).not.toHaveProperty('user');
    const body = { memberId: ada.memberId };
    expectError(await api.post(`${team.path}/members`, body), 409, 'member_already_in_team');
    expect((await api.get(`${team.path}/members`)).body).toEqual([created.body]);
    expect((await api.get(`${team.path}?relations=members`)).body).toMatchObject({
      totalTeamMembers: 1,
      teamMembers: [created.body],
    });
    const { id } = created.body as { id: string };
    const other = await createTeam(tenant);
    expectError(await api.delete(`${other.path}/members/${id}`), 404, 'team_member_not_found');
    expect((await api.delete(`${team.path}/members/${id}`)).status).toBe(204);
    expectError(await api.delete(`${team.path}/members/${id}`), 404, 'team_member_not_found');
  });

  it('are members of the organization', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const team = await createTeam(tenant);
    const [ada, foreign] = [await createMember(tenant, 'member'), await createMember(other, 'member')];
    for (const memberId of [foreign.memberId, ada.userId, uuid()]) {
      expectError(await tenant.owner.api.post(`${team.path}/members`, { memberId }), 404, 'member_not_found');
    }
    expectInvalid(await tenant.owner.api.post(`${team.path}/members`, {}), 'memberId');
    await assignMember(tenant, team, ada.memberId);
    const members = `/v1/organizations/${tenant.organizationId}/members`;
    await tenant.owner.api.delete(`${members}/${ada.memberId}`);
    expect((await tenant.owner.api.get(team.path)).body).toMatchObject({ totalTeamMembers: 0 });
  });
});

describe('as soon as there is a team', () => {
  /** The names of the apps that the member is shown, after comparing the list with the apps themselves. */
  async function visible(tenant: Tenant, member: Pick<TestMember, 'api'>): Promise<string[]> {
    const lists = await Promise.all(
      ['', `?organizationId=${tenant.organizationId}`, '?query=app', '?query=app&limit=100'].map((query) =>
        member.api.get(`/v1/apps${query}`),
      ),
    );
    const names = lists.map(({ body }) => (body as { name: string }[]).map(({ name }) => name));
    for (const list of names) expect(list).toEqual(names[0]);
    const all = (await tenant.owner.api.get('/v1/apps')).body as { id: string; name: string }[];
    for (const { id, name } of all) {
      const expected = names[0]?.includes(name) ? 200 : 404;
      for (const path of ['', '/channels', '/builds', '/deployments', '/devices']) {
        expect((await member.api.get(`/v1/apps/${id}${path}`)).status).toBe(expected);
      }
      const found = await member.api.get(`/v1/apps?query=${id}`);
      expect(found.body).toHaveLength(expected === 200 ? 1 : 0);
    }
    return names[0] ?? [];
  }

  it('members see the apps of their teams alone, owners and admins all', async () => {
    const tenant = await createTenant();
    const [a, b, c] = await Promise.all(
      ['app a', 'app b', 'app c'].map((name) => createApp(tenant, { name })),
    );
    if (!a || !b || !c) throw new Error('No apps');
    const [admin, member, viewer] = [
      await createMember(tenant, 'admin'),
      await createMember(tenant, 'member'),
      await createMember(tenant, 'viewer'),
    ];
    // A team elsewhere narrows nothing here.
    const other = await createApp();
    const elsewhere = await createTeam(other.tenant);
    await assignApp(other.tenant, elsewhere, other.id);
    for (const actor of [tenant.owner, admin, member, viewer]) {
      expect(await visible(tenant, actor)).toEqual(['app a', 'app b', 'app c']);
    }

    const first = await createTeam(tenant);
    for (const actor of [member, viewer]) expect(await visible(tenant, actor)).toEqual([]);
    for (const actor of [tenant.owner, admin]) {
      expect(await visible(tenant, actor)).toEqual(['app a', 'app b', 'app c']);
    }

    await assignMember(tenant, first, member.memberId);
    expect(await visible(tenant, member)).toEqual([]);
    const assignment = await assignApp(tenant, first, a.id);
    expect(await visible(tenant, member)).toEqual(['app a']);
    expect(await visible(tenant, viewer)).toEqual([]);

    const second = await createTeam(tenant);
    await assignApp(tenant, second, b.id);
    await assignApp(tenant, second, a.id);
    const place = await assignMember(tenant, second, member.memberId);
    await assignMember(tenant, second, viewer.memberId);
    expect(await visible(tenant, member)).toEqual(['app a', 'app b']);
    expect(await visible(tenant, viewer)).toEqual(['app a', 'app b']);
    // Seeing more does not mean doing more.
    expectError(await viewer.api.post(`${b.path}/channels`, { name: 'x' }), 403, 'not_authorized');
    expect((await member.api.post(`${b.path}/channels`, { name: 'x' })).status).toBe(201);
    expectError(await member.api.post(`${c.path}/channels`, { name: 'x' }), 404, 'app_not_found');

    await tenant.owner.api.delete(`${second.path}/members/${place}`);
    expect(await visible(tenant, member)).toEqual(['app a']);
    await tenant.owner.api.delete(`${first.path}/apps/${assignment}`);
    expect(await visible(tenant, member)).toEqual([]);

    await tenant.owner.api.delete(first.path);
    expect(await visible(tenant, member)).toEqual([]);
    await tenant.owner.api.delete(second.path);
    for (const actor of [member, viewer]) {
      expect(await visible(tenant, actor)).toEqual(['app a', 'app b', 'app c']);
    }
  });
});
