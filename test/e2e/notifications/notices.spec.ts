import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createMember, createTenant, type TestMember } from '../../builders/identities.js';
import { assignApp, assignMember, createTeam } from '../../builders/team.js';
import { recordExpiringToken, recordUnmatchedJob } from '../../support/notifications/noticed-events.js';
import { NoticeSite, PUBLIC_URL } from '../../support/notifications/notice-site.js';
import { OwnSite } from '../../support/servers/own-site.js';

let server: NoticeSite;
let app: TestApp;

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3600_000);

const happen = (values: Parameters<typeof recordUnmatchedJob>[2] = {}) =>
  recordUnmatchedJob(server.site, app, values);

beforeAll(async () => {
  server = await NoticeSite.start();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  app = await createApp(await createTenant(server.site));
});

it('reaches those who want it, with what happened, what to do and a way to stop', async () => {
  const { tenant } = app;
  const ada = await server.watcher(tenant, 'viewer');
  const grace = await createMember(tenant, 'admin', server.site);
  const { objectId } = await happen({ missing: 'No runner has the stack "ubuntu-24".' });
  const [mail] = await server.mailsTo(ada, 1);
  await server.mailsTo(grace, 0);
  await server.mailsTo(tenant.owner, 0);
  expect(mail?.headers.get('subject')).toEqual(['No runner for a job: Shop']);
  expect(mail?.headers.get('auto-submitted')).toEqual(['auto-generated']);
  expect(mail?.headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
  const [, url = ''] = /^<(.+)>$/.exec(mail?.headers.get('list-unsubscribe')?.[0] ?? '') ?? [];
  expect(url).toMatch(/^http:\/\/slipway\.example\.com\/unsubscribe\?token=[\w.-]+$/);
  expect(mail?.text).toContain('App: Shop');
  expect(mail?.text).toContain(`Organization: Tenant ${tenant.owner.userId}`);
  expect(mail?.text).toContain('Missing: No runner has the stack "ubuntu-24".');
  expect(mail?.text).toContain(`"${PUBLIC_URL}/v1/jobs/${objectId}"`);
  expect(mail?.text).toContain(url);
  // Nothing is loaded from elsewhere.
  expect(mail?.text).not.toMatch(/<(img|link|script|style|iframe)|url\(/i);
});

describe('who gets a mail', () => {
  it('is who may see the object, has a verified address, is enabled, and did not cause it', async () => {
    const { tenant } = app;
    const names = ['member', 'actor', 'unverified', 'disabled', 'outsider'] as const;
    const people: Record<(typeof names)[number] | 'billing' | 'stranger', TestMember> = {
      member: await server.watcher(tenant),
      actor: await server.watcher(tenant),
      unverified: await server.watcher(tenant),
      disabled: await server.watcher(tenant),
      outsider: await server.watcher(tenant),
      billing: await server.watcher(tenant, 'billing'),
      stranger: await server.watcher(await createTenant(server.site)),
    };
    const set = (change: string, { userId }: TestMember) =>
      server.site.query(`UPDATE users SET ${change} WHERE id = $1`, [userId]);
    await set('email_verified = false', people.unverified);
    await set('disabled_at = now()', people.disabled);
    const team = await createTeam(tenant);
    await assignApp(tenant, team, app.id);
    for (const name of names.filter((each) => each !== 'outsider')) {
      await assignMember(tenant, team, people[name].memberId);
    }
    await happen({ userId: people.actor.userId });
    const [mail] = await server.mailsTo(people.member, 1);
    expect(mail?.text).toContain(`By: ${people.actor.email}`);
    expect(server.mailbox.mails.filter(({ text }) => text.includes(tenant.owner.userId))).toHaveLength(1);
  });

  it('names only members of the organization', async () => {
    const ada = await server.watcher(app.tenant);
    const stranger = await createTenant(server.site);
    await happen({ userId: stranger.owner.userId });
    const [mail] = await server.mailsTo(ada, 1);
    expect(mail?.text).not.toMatch(/By: /);
    expect(mail?.text).not.toContain(stranger.owner.email);
  });

  const deleteApp = (): Promise<unknown> => server.as(app.tenant.owner).delete(app.path);
  const losses: [string, (member: TestMember) => Promise<unknown>][] = [
    [
      'was removed',
      ({ memberId }) =>
        server
          .as(app.tenant.owner)
          .delete(`/v1/organizations/${app.tenant.organizationId}/members/${memberId}`),
    ],
    [
      'may only pay',
      ({ memberId }) => server.site.query("UPDATE members SET role = 'billing' WHERE id = $1", [memberId]),
    ],
    [
      'is in none of the teams',
      async () =>
        createTeam({ ...app.tenant, owner: { ...app.tenant.owner, api: server.as(app.tenant.owner) } }),
    ],
    [
      'was disabled',
      ({ userId }) => server.site.query('UPDATE users SET disabled_at = now() WHERE id = $1', [userId]),
    ],
    ['wants none any more', (member) => server.as(member).patch('/v1/users/me/notices', { health: false })],
    ['cannot see it, because the app was deleted', deleteApp],
  ];

  it.each(losses)('is not a user who %s between the event and the mail', async (_, lose) => {
    const [ada, grace] = [await server.watcher(app.tenant), await server.watcher(app.tenant, 'admin')];
    await server.mailbox.stop();
    await happen();
    await server.failedMail(ada);
    await server.failedMail(grace);
    await lose(ada);
    await server.mailbox.resume();
    await server.retryNow();
    await server.mailsTo(grace, lose === deleteApp ? 0 : 1);
    await server.mailsTo(ada, 0);
  });
});

describe('how many mails there are', () => {
  it('is one an hour about an object, and the next one says how many events had none', async () => {
    const ada = await server.watcher(app.tenant);
    const lastHour = hoursAgo(1).setMinutes(0, 0, 0);
    const earlier = (minutes: number): Date => new Date(lastHour + minutes * 60_000);
    const { objectId } = await happen({ at: earlier(5) });
    await server.mailsTo(ada, 1);
    await happen({ objectId, at: earlier(10) });
    await happen({ objectId, at: earlier(50) });
    await server.mailsTo(ada, 1);
    // Of another object.
    await happen({ at: earlier(50) });
    await server.mailsTo(ada, 2);
    await happen({ objectId });
    const [first, second, third] = await server.mailsTo(ada, 3);
    expect(first?.text).not.toMatch(/earlier event/);
    expect(second?.text).not.toMatch(/earlier event/);
    expect(third?.text).toContain('2 earlier events of this kind about the same object had no message');
  });

  it('is at most 20 a day of one kind to a user about an organization, and 50 in all', async () => {
    const ada = await server.watcher(app.tenant);
    const { organizationId } = app.tenant;
    const expire = () =>
      recordExpiringToken(server.site, organizationId, { tokenId: randomUUID(), userId: ada.userId });
    for (let count = 0; count < 19; count++) await happen();
    expect((await server.mailsTo(ada, 19)).at(-1)?.text).not.toContain('last message');
    await happen();
    const [last] = (await server.mailsTo(ada, 20)).slice(-1);
    expect(last?.text).toContain('This is the last message of this kind about this organization today');
    await happen();
    // Another kind is not hidden.
    await expire();
    expect((await server.mailsTo(ada, 21)).at(-1)?.text).not.toContain('last message');
    await server.site.query(
      `INSERT INTO notice_mails (id, user_id, organization_id, event_id, object_id, type, hour, position, is_last)
       SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), gen_random_uuid(), 'runner_lost', now(), 1, false
         FROM generate_series(1, 28)`,
      [ada.userId, organizationId],
    );
    await expire();
    expect((await server.mailsTo(ada, 22)).at(-1)?.text).toContain('last message');
    await expire();
    await server.mailsTo(ada, 22);
    const other = await createApp(await createTenant(server.site));
    await server.site.query(
      `INSERT INTO members (id, organization_id, user_id, role) VALUES (gen_random_uuid(), $1, $2, 'member')`,
      [other.tenant.organizationId, ada.userId],
    );
    await recordUnmatchedJob(server.site, other);
    await server.mailsTo(ada, 23);
  });

  it('is none about what happened more than a day ago', async () => {
    const ada = await server.watcher(app.tenant);
    await happen({ at: hoursAgo(25) });
    await server.mailsTo(ada, 0);
  });

  it('is one, however many servers there are', async () => {
    const other = await OwnSite.beside(server.site);
    try {
      const ada = await server.watcher(app.tenant);
      for (let count = 0; count < 12; count++) await happen();
      const mails = await server.mailsTo(ada, 12);
      const ids = mails.map(({ headers }) => headers.get('message-id')?.[0]);
      expect(new Set(ids).size).toBe(12);
    } finally {
      expect(await other.stop()).toBe(0);
    }
  });
});

it('comes after the server was killed between the event and the mail, once', async () => {
  const ada = await server.watcher(app.tenant);
  await server.mailbox.stop();
  await happen();
  await server.failedMail(ada);
  await server.site.kill();
  await server.mailbox.resume();
  // What it was doing waits until no one can be doing it any more.
  await server.site.query("UPDATE queue.job SET state = 'retry' WHERE state = 'active'");
  await server.retryNow();
  await server.site.restart();
  await server.mailsTo(ada, 1);
});

it('is not changed by what users write', async () => {
  const evil = '<script>alert(1)</script>\r\nBcc: eve';
  await server.site.query('UPDATE apps SET name = $2 WHERE id = $1', [app.id, evil]);
  const ada = await server.watcher(app.tenant);
  await happen({ missing: evil });
  const [mail] = await server.mailsTo(ada, 1);
  expect(mail?.to).toEqual([ada.email]);
  expect(mail?.headers.has('bcc')).toBe(false);
  expect(mail?.headers.get('subject')).toEqual(['No runner for a job: <script>alert(1)</script> Bcc: eve']);
  const [, page] = (mail?.text ?? '').split(/content-type: text\/html/i);
  expect(page).not.toContain('<script>');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt; Bcc: eve');
});
