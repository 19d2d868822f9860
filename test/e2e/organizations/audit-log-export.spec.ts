import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import type { AuditEventDto } from '../../../src/organizations/audit-log/audit-event.dto.js';
import { createApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createMember, createTenant, type Tenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import {
  auditPath,
  documentedHash,
  exportLog,
  withoutExports,
} from '../../support/organizations/audit-log.js';

const list = async (tenant: Tenant, filter = ''): Promise<AuditEventDto[]> => {
  const { status, body } = await tenant.owner.api.get(`${auditPath(tenant)}?${filter}`);
  expect(status).toBe(200);
  return withoutExports(body as AuditEventDto[]);
};

/** As many events as one statement makes rows: without an actor. */
async function createTeams(tenant: Tenant, count: number): Promise<void> {
  await query(
    testEnvironment().databaseUrl,
    `INSERT INTO teams (id, organization_id, name, name_lower)
     SELECT gen_random_uuid(), $1, 'Team ' || i, 'team ' || i FROM generate_series(1, $2::integer) AS i`,
    [tenant.organizationId, count],
  );
}

describe('the list of audit events', () => {
  it('is the newest first, in pages', async () => {
    const tenant = await createTenant();
    await createTeams(tenant, 7);
    const first = await tenant.owner.api.get(`${auditPath(tenant)}?limit=4`);
    const second = await tenant.owner.api.get(`${auditPath(tenant)}?limit=4&offset=4`);
    const sequences = [first, second].flatMap(({ body }) =>
      (body as AuditEventDto[]).map(({ sequence }) => sequence),
    );
    expect(sequences).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
    expect(first.headers).toMatchObject({
      'x-total-count': '9',
      link: expect.stringContaining('rel="next"') as string,
    });
  });

  it('can be narrowed by action, object, user, app, time and request', async () => {
    const app = await createApp();
    const { tenant } = app;
    const admin = await createMember(tenant, 'admin');
    const channel = await createChannel(app);
    const renamed = await admin.api.patch(`${app.path}/channels/${channel.id}`, { name: 'renamed' });
    await admin.api.delete(`${app.path}/channels/${channel.id}`);
    const all = await list(tenant);
    const where = (rule: (event: AuditEventDto) => boolean): AuditEventDto[] => {
      const events = all.filter(rule);
      expect([0, all.length]).not.toContain(events.length);
      return events;
    };
    const at = all[3]?.createdAt ?? '';
    const filters: Record<string, (event: AuditEventDto) => boolean> = {
      'action=created': ({ action }) => action === 'created',
      'objectType=channel': ({ object }) => object.type === 'channel',
      [`objectId=${channel.id}`]: ({ object }) => object.id === channel.id,
      [`userId=${admin.userId}`]: ({ actor }) => actor?.userId === admin.userId,
      [`appId=${app.id}`]: ({ object }) => object.appId === app.id,
      [`from=${at}`]: ({ createdAt }) => createdAt >= at,
      [`to=${at}`]: ({ createdAt }) => createdAt < at,
      [`requestId=${renamed.headers['x-request-id']}`]: ({ requestId }) =>
        requestId === renamed.headers['x-request-id'],
      [`objectType=channel&action=deleted&userId=${admin.userId}`]: ({ object, action }) =>
        object.type === 'channel' && action === 'deleted',
    };
    for (const [filter, rule] of Object.entries(filters)) {
      expect([filter, await list(tenant, filter)]).toEqual([filter, where(rule)]);
      expect([filter, await exportLog(tenant, filter)]).toEqual([filter, where(rule)]);
    }
    expect(await list(tenant, `from=${at}&to=${at}`)).toEqual([]);
    expect(await list(tenant, 'action=&objectType=&objectId=&userId=&appId=&from=&to=&requestId=')).toEqual(
      all,
    );
  });

  it.each(['', '/export'])('refuses filters that are none%s', async (suffix) => {
    const tenant = await createTenant();
    const bad = 'action=read&objectType=cow&userId=me&appId=1&from=yesterday&to=1.5';
    const response = await tenant.owner.api.get(`${auditPath(tenant)}${suffix}?${bad}`);
    expectInvalid(response, 'action', 'objectType', 'userId', 'appId', 'from', 'to');
  });

  it('is for owners and admins, and no token that is limited to apps', async () => {
    const app = await createApp();
    const { tenant } = app;
    const [event] = await list(tenant);
    const limited = await createToken(app.api, { appIds: [app.id] });
    const [admin, member, stranger] = [
      await createMember(tenant, 'admin'),
      await createMember(tenant, 'member'),
      (await createTenant()).owner,
    ];
    for (const suffix of ['', '/export', `/${event?.id}`]) {
      const path = auditPath(tenant) + suffix;
      expect((await admin.api.get(path)).status).toBe(200);
      expectError(await member.api.get(path), 403, 'not_authorized');
      expectError(await limited.api.get(path), 403, 'token_limited');
      expectError(await stranger.api.get(path), 404, 'organization_not_found');
    }
  });

  it('does not have the events of other organizations', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()];
    const [foreign] = await list(other);
    expectError(
      await tenant.owner.api.get(`${auditPath(tenant)}/${foreign?.id}`),
      404,
      'audit_event_not_found',
    );
    expectError(await tenant.owner.api.get(`${auditPath(tenant)}/${uuid()}`), 404, 'audit_event_not_found');
    expectError(await tenant.owner.api.get(`${auditPath(tenant)}/unknown`), 404, 'audit_event_not_found');
    expect(await list(tenant, `objectId=${other.organizationId}`)).toEqual([]);
  });
});

describe('the export of audit events', () => {
  it('has what the list has, with hashes that can be recomputed', async () => {
    const tenant = await createTenant();
    await createTeams(tenant, 5000);
    const events = await exportLog(tenant);
    expect(events).toHaveLength(5002);
    const pages: AuditEventDto[] = [];
    for (let offset = 0; offset < 5100; offset += 100)
      pages.push(...(await list(tenant, `limit=100&offset=${offset}`)));
    expect(events).toEqual(pages);
    events.forEach((event, i) => {
      expect(event.hash).toBe(documentedHash(event));
      expect(event.previousHash).toBe(events[i + 1]?.hash ?? '0'.repeat(64));
    });
  });

  it('is a file, and only announced to HEAD', async () => {
    const tenant = await createTenant();
    const path = `${auditPath(tenant)}/export`;
    const head = await tenant.owner.api.request('head', path);
    expect(head.status).toBe(200);
    expect(head.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="audit-events-${tenant.organizationId}.ndjson"`,
      'cache-control': 'no-store',
    });
    expect(await exportLog(tenant, 'objectType=device')).toEqual([]);
  });

  it('may be broken off', async () => {
    const tenant = await createTenant();
    await createTeams(tenant, 3000);
    await new Promise<void>((resolve, reject) => {
      const url = `${tenant.owner.api.origin}${auditPath(tenant)}/export`;
      const headers = { Authorization: `Bearer ${tenant.owner.token}` };
      request(url, { headers }, (response) => {
        response.once('data', () => response.destroy());
        response.once('close', () => resolve());
      })
        .once('error', reject)
        .end();
    });
    // The newest of the page is the event of the export.
    expect(await list(tenant)).toHaveLength(49);
  });

  it('is not recorded when its client has left while it waited', async () => {
    const tenant = await createTenant();
    const url = `${tenant.owner.api.origin}${auditPath(tenant)}/export`;
    const headers = { Authorization: `Bearer ${tenant.owner.token}` };
    const client = new pg.Client({ connectionString: testEnvironment().databaseUrl });
    await client.connect();
    try {
      // An export that has its turn waits for this transaction.
      await client.query('BEGIN');
      await client.query('SELECT FROM audit_chains WHERE organization_id = $1 FOR UPDATE', [
        tenant.organizationId,
      ]);
      // The last of thirteen is refused: two have their turn then, and ten wait.
      const exports = Array.from({ length: 13 }, () => request(url, { headers }));
      const refused = Promise.race(exports.map((one) => once(one, 'response')));
      for (const one of exports) one.on('error', () => undefined).end();
      const [response] = (await refused) as [IncomingMessage];
      expect(response.statusCode).toBe(429);
      for (const one of exports) one.destroy();
      await list(tenant);
      await client.query('ROLLBACK');
    } finally {
      await client.end();
    }
    expect((await tenant.owner.api.get(`${auditPath(tenant)}/export`)).status).toBe(200);
    const recorded = await query(
      testEnvironment().databaseUrl,
      "SELECT FROM audit_events WHERE organization_id = $1 AND object_name = 'audit-log-exported'",
      [tenant.organizationId],
    );
    expect(recorded).toHaveLength(3);
  });
});
