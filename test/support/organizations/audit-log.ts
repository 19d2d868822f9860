import { createHash } from 'node:crypto';
import type { Response } from 'supertest';
import type { AuditEventDto } from '../../../src/organizations/audit-log/audit-event.dto.js';
import type { Tenant } from '../../builders/identities.js';
import { runProgram } from '../processes/programs.js';

/** Where the audit log of a tenant is. */
export function auditPath({ organizationId }: Pick<Tenant, 'organizationId'>): string {
  return `/v1/organizations/${organizationId}/audit-events`;
}

/** The newest audit events of a tenant, oldest first. @param query such as `objectType=app` */
export async function auditEvents(tenant: Tenant, query = ''): Promise<AuditEventDto[]> {
  const response = await tenant.owner.api.get(`${auditPath(tenant)}?limit=100&${query}`);
  expect(response.status).toBe(200);
  return (response.body as AuditEventDto[]).toReversed();
}

/** What a request has written to the log of the tenant, oldest first. */
export function eventsOfRequest(tenant: Tenant, { headers }: Response): Promise<AuditEventDto[]> {
  return auditEvents(tenant, `requestId=${headers['x-request-id']}`);
}

/** Such as `channel created`, for each event. */
export function titles(events: readonly AuditEventDto[]): string[] {
  return events.map(({ object, action }) => `${object.type} ${action}`);
}

/** The whole log as it is exported, but for the events of exports. */
export async function exportLog(tenant: Tenant, query = ''): Promise<AuditEventDto[]> {
  const text = await exportText(tenant, query);
  const events = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as AuditEventDto]));
  return withoutExports(events);
}

/** Exports are recorded, too: what is left without them is what a test did. */
export function withoutExports(events: readonly AuditEventDto[]): AuditEventDto[] {
  return events.filter(({ object }) => object.name !== 'audit-log-exported');
}

/** The bytes of the export. */
export async function exportText(tenant: Tenant, query = ''): Promise<string> {
  const url = `${tenant.owner.api.origin}${auditPath(tenant)}/export?${query}`;
  const response = await fetch(url, { headers: { Authorization: `Bearer ${tenant.owner.token}` } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  return response.text();
}

/** The hash of an exported event, computed from nothing but what docs/audit-log.md says. */
export function documentedHash(event: AuditEventDto): string {
  const { actor, object } = event;
  // prettier-ignore
  const fields = [
    event.id, event.organizationId, event.sequence, event.createdAt, event.action,
    object.type, object.id, object.name, object.appId,
    actor?.userId, actor?.email, actor?.tokenId, actor?.sessionId, actor?.address, actor?.userAgent,
    event.requestId, event.operation, event.before, event.after,
  ];
  return createHash('sha256')
    .update(`${event.previousHash}\n${jsonb(fields)}`)
    .digest('hex');
}

/** JSON as PostgreSQL writes `jsonb`: a space after each comma and colon; the shorter of two names first. */
function jsonb(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonb).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).sort(([a], [b]) => {
    const [x, y] = [Buffer.from(a), Buffer.from(b)];
    return x.length - y.length || x.compare(y);
  });
  return `{${entries.map(([name, content]) => `${JSON.stringify(name)}: ${jsonb(content)}`).join(', ')}}`;
}

/** Runs `slipway audit verify` on a database. */
export async function verifyAudit(
  databaseUrl: string,
  ...args: string[]
): Promise<{ code: number; output: string }> {
  const { code, out, err } = await runProgram('audit verify', { databaseUrl }, { args });
  return { code, output: out + err };
}
