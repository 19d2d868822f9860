import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FindOptionsWhere, IsNull, type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { databaseNow } from '../../common/database-clock.js';
import { NotFoundError, PreconditionFailedError } from '../../common/errors/app-error.js';
import type { IfMatch } from '../../common/etags/if-match.js';
import { matches } from '../../common/etags/version.js';
import type { Page } from '../../common/pagination/page.js';
import { CountLimits } from '../../database/count-limits.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { containsText, idContains } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import { generateSigningSecret } from '../webhook-fields/signing-secret.js';
import type {
  CreateOrganizationWebhookDto,
  UpdateOrganizationWebhookDto,
  ListWebhooksQuery,
} from './webhook.dto.js';
import { WebhookChanges } from './webhook-changes.js';
import type { WebhookOwner } from './webhook-owner.js';
import { WebhookChecks } from './webhook-checks.service.js';
import { Webhook, WEBHOOKS_APP_FKEY, WEBHOOKS_ORGANIZATION_FKEY } from './webhook.entity.js';
import { type WebhookColumns, WebhookSecrets } from '../webhook-fields/webhook-secrets.js';
import { WebhooksQueries } from './webhooks.queries.js';

/** How long the secret from before a rotation signs as well, in milliseconds. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

const violations = {
  [WEBHOOKS_ORGANIZATION_FKEY]: () => new NotFoundError('Organization'),
  [WEBHOOKS_APP_FKEY]: () => new NotFoundError('App'),
};

/** A webhook after a change. */
export interface ChangedWebhook {
  readonly webhook: Webhook;
  /** What the change has removed besides, as a sentence; `null`: nothing. */
  readonly warning: string | null;
}

/** A webhook with a new secret. */
export interface RotatedWebhook {
  readonly webhook: Webhook;
  /** `null`: the caller has brought it. */
  readonly generated: string | null;
}

@Injectable()
export class WebhooksService {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    private readonly queries: WebhooksQueries,
    private readonly checks: WebhookChecks,
    private readonly secrets: WebhookSecrets,
    private readonly changes: WebhookChanges,
    private readonly limits: CountLimits,
  ) {}

  /** The webhooks of an app, or those of an organization without those of its apps, by name. */
  list(owner: WebhookOwner, query: ListWebhooksQuery): Promise<Page<Webhook>> {
    const where = whereOf(owner);
    const found =
      query.query === undefined
        ? where
        : [
            { ...where, name: containsText(query.query) },
            { ...where, id: idContains(query.query) },
          ];
    return findPage(this.webhooks, found, query, { name: 'ASC' });
  }

  /** @throws NotFoundError */
  get(owner: WebhookOwner, id: string): Promise<Webhook> {
    return findOrThrow(this.webhooks, { ...whereOf(owner), id });
  }

  /**
   * @throws InvalidRequestError
   * @throws NotFoundError when a filter names an app or a channel that the owner does not have, or the owner is gone
   * @throws ConflictError when the owner has as many webhooks as the server allows
   */
  create(owner: WebhookOwner, dto: CreateOrganizationWebhookDto): Promise<Webhook> {
    const { organizationId, appId } = owner;
    const id = uuid();
    return transaction(async () => {
      if (appId === null) {
        const own = { organizationId, appId: IsNull() };
        await this.limits.requireRoom('webhooksPerOrganization', organizationId, this.webhooks, own);
      } else {
        await this.limits.requireRoom('webhooksPerApp', appId, this.webhooks, { appId });
        // The organization of the webhook is that of the app, whatever happens at the same time.
        if (!(await this.queries.lockApps(organizationId, [appId]))) throw new NotFoundError('App');
      }
      await this.checks.requireValid(owner, null, dto);
      const { format = 'raw', ordering = 'object' } = dto;
      const values = { ...this.columnsOf(id, dto), id, organizationId, appId, format, ordering };
      return insertOrThrow(this.webhooks, values, violations);
    });
  }

  /**
   * Changes of one webhook wait for each other, so that each is judged by what it changes. A change to the format of a
   * chat, whose messages are not signed, removes the signing secret: the official clients cannot send `null`.
   *
   * @throws InvalidRequestError
   * @throws NotFoundError also when a filter names an app or a channel that the owner does not have
   * @throws PreconditionFailedError
   */
  async update(
    owner: WebhookOwner,
    id: string,
    dto: UpdateOrganizationWebhookDto,
    ifMatch?: IfMatch,
  ): Promise<ChangedWebhook> {
    let warning: string | null = null;
    const webhook = await this.change(owner, id, async (before) => {
      requireMatch(before, ifMatch);
      const isSigned = before.sealedSigningSecret !== null && dto.signingSecret === undefined;
      const dropsSecret = isSigned && dto.format !== undefined && dto.format !== 'raw';
      if (dropsSecret)
        warning = `The signing secret was removed: messages in the format ${dto.format} are not signed.`;
      const values = dropsSecret ? { ...dto, signingSecret: null } : dto;
      await this.checks.requireValid(owner, before, values);
      return this.columnsOf(id, values);
    });
    return { webhook, warning };
  }

  /** Deletes a webhook with its deliveries. @throws NotFoundError @throws PreconditionFailedError */
  delete(owner: WebhookOwner, id: string, ifMatch?: IfMatch): Promise<void> {
    return transaction(async () => {
      const webhook = await this.lock(owner, id);
      requireMatch(webhook, ifMatch);
      // First, because it may take long, and events wait for the deletion of the webhook itself.
      await this.changes.deleting.notify(id);
      await deleteOrThrow(this.webhooks, { id });
    });
  }

  /**
   * Locks a webhook against changes and its deletion until the transaction ends. New deliveries can still refer to it.
   *
   * @throws NotFoundError
   */
  lock(owner: WebhookOwner, id: string): Promise<Webhook> {
    return lockOrThrow(this.webhooks, { ...whereOf(owner), id }, 'for_no_key_update');
  }

  /**
   * Gives a webhook a new signing secret. The former one signs as well for 24 hours; an older one from an earlier
   * rotation ends immediately.
   *
   * @param signingSecret `undefined`: make one
   * @throws NotFoundError
   * @throws InvalidRequestError when messages of its format are not signed
   */
  async rotateSecret(owner: WebhookOwner, id: string, signingSecret?: string): Promise<RotatedWebhook> {
    const generated = signingSecret === undefined ? generateSigningSecret() : null;
    const webhook = await this.change(owner, id, (before) => {
      this.checks.requireSignedFormat(before.format);
      const { sealedSigningSecret: previous } = before;
      return Promise.resolve({
        sealedSigningSecret: this.secrets.seal(id, signingSecret ?? generated ?? ''),
        sealedPreviousSigningSecret: previous,
        previousSigningSecretExpiresAt: previous === null ? null : databaseNow(OVERLAP_MS),
      });
    });
    return { webhook, generated };
  }

  /** @param decide what becomes of the columns, with the webhook locked */
  private change(
    owner: WebhookOwner,
    id: string,
    decide: (before: Webhook) => Promise<WebhookColumns>,
  ): Promise<Webhook> {
    return transaction(async () => {
      const before = await this.lock(owner, id);
      const after = await updateOrThrow(this.webhooks, { id }, await decide(before));
      await this.changes.changed.notify(before, after);
      return after;
    });
  }

  /** The columns that creation and change set alike; `undefined` for absent fields. */
  private columnsOf(id: string, dto: UpdateOrganizationWebhookDto): WebhookColumns {
    const { url, headers, signingSecret, enabled, ...columns } = dto;
    return {
      ...columns,
      ...this.secrets.columnsOf(id, { url, headers, signingSecret }),
      ...(enabled !== undefined && { enabled, disabledReason: null }),
    };
  }
}

/** @throws PreconditionFailedError when the webhook is not in a version that the caller accepts */
function requireMatch(webhook: Webhook, ifMatch: IfMatch | undefined): void {
  if (ifMatch !== undefined && !matches(ifMatch, webhook)) throw new PreconditionFailedError();
}

function whereOf({ organizationId, appId }: WebhookOwner): FindOptionsWhere<Webhook> {
  return { organizationId, appId: appId ?? IsNull() };
}
