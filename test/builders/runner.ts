import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { Response } from 'supertest';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import { Api } from '../support/http/api.js';
import { expectCreated } from '../support/http/expect-created.js';
import { uniqueName } from '../support/unique-name.js';
import type { TestApp } from './app.js';
import type { Site, Tenant } from './identities.js';

/** What a claim is answered. */
export interface Claimed {
  readonly job: { readonly id: string; readonly appId: string; readonly attempt: number };
  readonly jobToken: string;
  readonly lease: { readonly expiresAt: string; readonly seconds: number };
}

/** A registered runner that speaks the protocol by hand. */
export class TestRunner {
  sessionId = '';

  constructor(
    readonly id: string,
    readonly api: Api,
  ) {}

  /** Opens a session; what it reports is that of a runner for web builds unless given. */
  async open(report: object = {}): Promise<Response> {
    const body = {
      version: '1.0.0',
      os: 'linux',
      arch: 'x64',
      platforms: ['web'],
      stacks: [],
      labels: [],
      slots: 16,
    };
    const response = await this.api.post('/v1/runner/sessions', { ...body, ...report });
    if (response.status === 201) this.sessionId = (response.body as { id: string }).id;
    return response;
  }

  claim(claimId: string = randomUUID(), sessionId = this.sessionId): Promise<Response> {
    return this.api.post('/v1/runner/claims', { sessionId, claimId });
  }
}

/** Registers a runner of a tenant and opens its session. */
export async function createRunner(
  tenant: Tenant,
  values: object = {},
  report: object | null = {},
): Promise<TestRunner> {
  const { owner, organizationId } = tenant;
  const response = await owner.api.post(`/v1/organizations/${organizationId}/runners`, {
    name: uniqueName('runner'),
    ...values,
  });
  const { id, token } = expectCreated<{ id: string; token: string }>(response);
  const runner = new TestRunner(id, new Api(owner.api.origin, token));
  if (report !== null) await runner.open(report);
  return runner;
}

/** Queued jobs of an app, the first one oldest, and says so to all servers. @returns their ids */
export async function queueJobs(
  app: Pick<TestApp, 'id' | 'tenant'>,
  count = 1,
  values: Readonly<Record<string, unknown>> = {},
  site: Pick<Site, 'databaseUrl'> = testEnvironment(),
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuid());
  const columns = { platform: 'web', stack: 'macos-tahoe', ...values };
  const names = Object.keys(columns);
  const { organizationId } = app.tenant;
  await query(
    site.databaseUrl,
    `INSERT INTO jobs (id, organization_id, app_id, kind, status, queued_at, created_at, ${names.join(', ')})
     SELECT id, $2, $3, 'build', 'queued', now(), now() + n * interval '1 millisecond',
            ${names.map((_, index) => `$${index + 4}`).join(', ')}
       FROM unnest($1::uuid[]) WITH ORDINALITY AS job (id, n)`,
    [ids, organizationId, app.id, ...Object.values(columns)],
  );
  await query(site.databaseUrl, `SELECT pg_notify('jobs', $1)`, [organizationId]);
  return ids;
}
