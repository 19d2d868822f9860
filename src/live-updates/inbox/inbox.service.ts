import { Injectable } from '@nestjs/common';
import type { RolePermission } from '../../common/access/permissions.js';
import type { Principal } from '../../common/access/principal.js';
import { databaseNow } from '../../common/database-clock.js';
import { OrganizationAccessService } from '../../organizations/organization-access/organization-access.service.js';
import {
  type InboxDto,
  type InboxEntryDto,
  type InboxKind,
  inboxKinds,
  type InboxObjectDto,
} from './inbox.dto.js';
import { InboxQueries, type InboxRow } from './inbox.queries.js';
import { sentenceOf } from './inbox-sentences.js';

/** Entries of a response. */
const MAX_ENTRIES = 100;

/** What the caller must be allowed to see the entries of a kind, and to do what they wait for. */
const needed: Readonly<Record<InboxKind, readonly RolePermission[]>> = {
  approval: ['deployments:read', 'deployments:approve'],
  plan_held: ['deployments:read', 'deployments:write'],
  submission_refused: ['deployments:read', 'submissions:write'],
  submission_waiting: ['deployments:read', 'submissions:write'],
  release_stopped: ['deployments:read', 'submissions:write'],
  release_change_failed: ['deployments:read', 'submissions:write'],
  files_damaged: ['builds:read', 'bundles:write'],
  signing_expiring: ['certificates:read', 'certificates:write'],
  webhook_failing: ['webhooks:read', 'webhooks:write'],
  webhook_disabled: ['webhooks:read', 'webhooks:write'],
};

/** Finds what waits for a person in an organization. */
@Injectable()
export class InboxService {
  constructor(
    private readonly organizations: OrganizationAccessService,
    private readonly queries: InboxQueries,
  ) {}

  /** What waits for the caller. @throws NotFoundError when the caller is no longer a member */
  async read(caller: Principal, organizationId: string): Promise<InboxDto> {
    const { organization, apps, isSuspended } = await this.organizations.grantsOf(caller, organizationId);
    // Nothing can be done then.
    if (isSuspended) return { entries: [], more: 0 };
    const rows = await this.queries.read(
      {
        userId: caller.userId,
        organizationId,
        appIds: caller.limits.appIds,
        kinds: inboxKinds.filter((kind) => needed[kind].every((permission) => apps.has(permission))),
        mayUseProtected: apps.has('certificates:use'),
        mayChangeOrganization: needed.webhook_failing.every((permission) => organization.has(permission)),
      },
      MAX_ENTRIES,
    );
    const now = databaseNow();
    return {
      entries: rows.map((row) => toInboxEntryDto(row, organizationId, now)),
      more: (rows[0]?.total ?? 0) - rows.length,
    };
  }
}

function toInboxEntryDto(row: InboxRow, organizationId: string, now: Date): InboxEntryDto {
  const { object } = row;
  const full: InboxObjectDto = {
    name: object.name ?? '',
    appId: object.appId ?? null,
    appName: object.appName ?? null,
    appChannelId: object.appChannelId ?? null,
    appChannelName: object.appChannelName ?? null,
    appDestinationId: object.appDestinationId ?? null,
    appDestinationName: object.appDestinationName ?? null,
    appDeploymentId: object.appDeploymentId ?? null,
    appBuildId: object.appBuildId ?? null,
    appCertificateId: object.appCertificateId ?? null,
    appProvisioningProfileId: object.appProvisioningProfileId ?? null,
    webhookId: object.webhookId ?? null,
  };
  return {
    id: row.id,
    kind: row.kind,
    since: row.since.toISOString(),
    object: full,
    sentence: sentenceOf(row.kind, row.facts, now),
    link: linkOf(row.kind, full, organizationId),
  };
}

/** The page where it is done. */
function linkOf(kind: InboxKind, object: InboxObjectDto, organizationId: string): string {
  const app = `/apps/${object.appId}`;
  switch (kind) {
    case 'files_damaged':
      return `${app}/builds/${object.appBuildId}`;
    case 'signing_expiring':
      return `${app}/signing`;
    case 'webhook_failing':
    case 'webhook_disabled':
      return object.appId === null ? `/organizations/${organizationId}/webhooks` : `${app}/webhooks`;
    default:
      return `${app}/deployments/${object.appDeploymentId}`;
  }
}
