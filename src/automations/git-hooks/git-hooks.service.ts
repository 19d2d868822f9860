import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import { type Repository } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { AppAccessService } from '../../apps/app-access/app-access.service.js';
import type { App } from '../../apps/apps/app.entity.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import type { AppRepository } from '../../apps/repository/app-repository.entity.js';
import { LinkedRepositoryService } from '../../apps/repository/linked-repository.service.js';
import type { Principal } from '../../common/access/principal.js';
import { InvalidRequestError, NotFoundError } from '../../common/errors/app-error.js';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { transaction } from '../../database/transactions/transaction.js';
import { repositoryKeyOf, repositoryOfKey } from '../automations/automation-stops.service.js';
import { LooksService } from '../git-looks/looks.service.js';
import { GitHook } from './git-hook.entity.js';
import type { HookAppDto } from './git-hook.dto.js';
import { type HookProvider, hookProviders, readDelivery } from './hook-delivery.js';

const SECRET_BYTES = 32;

/** A hook with its new secret, and who else uses it. */
export interface RotatedHook {
  readonly hook: GitHook;
  /** In clear, for this one time. */
  readonly secret: string;
  readonly otherApps: readonly HookAppDto[];
  /** How many more there are, which the caller cannot see. */
  readonly moreApps: number;
}

/** The hooks of git servers: one for each repository in an organization, whatever number of apps are linked to it. */
@Injectable()
export class GitHooksService {
  constructor(
    @InjectRepository(GitHook) private readonly hooks: Repository<GitHook>,
    private readonly apps: AppsService,
    private readonly access: AppAccessService,
    private readonly links: LinkedRepositoryService,
    private readonly looks: LooksService,
    private readonly secrets: SecretBox,
  ) {}

  /** The hook of a repository; `null`: none was made yet. */
  find(organizationId: string, repository: AppRepository): Promise<GitHook | null> {
    return this.hooks.findOneBy({ organizationId, repositoryKey: repositoryKeyOf(repository) });
  }

  /**
   * Makes the hook of the repository of an app, or gives it another secret.
   *
   * @throws AppNotLinkedError
   * @throws InvalidRequestError when hooks of the server are not understood
   */
  async rotate(caller: Principal, app: App): Promise<RotatedHook> {
    const repository = await this.links.get(app.id);
    const { provider } = repository;
    if (!isHookProvider(provider)) {
      throw new InvalidRequestError(
        `Hooks of ${provider} are not understood yet: Slipway looks at the repository every few minutes instead.`,
        'git_hook_unsupported',
      );
    }
    const { organizationId } = app;
    const repositoryKey = repositoryKeyOf(repository);
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const hook = await transaction(async () => {
      const id = uuid();
      const values = { id, organizationId, provider, repositoryKey, sealedSecret: this.seal(id, secret) };
      await this.hooks.createQueryBuilder().insert().values(values).orIgnore().execute();
      const where = { organizationId, repositoryKey };
      const found = await this.hooks.findOneOrFail({ where, lock: { mode: 'for_no_key_update' } });
      if (found.id !== id)
        await this.hooks.update({ id: found.id }, { sealedSecret: this.seal(found.id, secret) });
      return found;
    });
    const others = (await this.appsOf(hook)).filter((id) => id !== app.id);
    const visible = await this.access.visibleAmong(caller, organizationId, others);
    const named = await Promise.all([...visible].map((id) => this.apps.get(id)));
    const otherApps = named
      .map(({ id, name }) => ({ id, name }))
      .sort((a, b) => a.name.localeCompare(b.name));
    return { hook, secret, otherApps, moreApps: others.length - otherApps.length };
  }

  /**
   * Takes a delivery of a git server, and plans looks at the repository for the apps that are linked to it. It is a hint: what
   * the repository has is read there.
   *
   * @throws NotFoundError for unknown hooks, and deliveries that do not prove where they come from
   * @throws TooLargeError
   */
  async receive(provider: string, id: string, request: Request): Promise<void> {
    const hook = isHookProvider(provider) ? await this.hooks.findOneBy({ id, provider }) : null;
    if (hook === null) throw new NotFoundError('Git hook');
    const secret = this.secrets.open(hook.sealedSecret, contextOf(id));
    const { problem, push } = await readDelivery(request, hook.provider as HookProvider, secret);
    if (problem !== null) {
      await this.noteRefusal(id, problem);
      throw new NotFoundError('Git hook');
    }
    await transaction(async () => {
      await this.hooks.update({ id }, { lastEventAt: () => 'now()' });
      for (const appId of await this.appsOf(hook)) await this.looks.expect(appId, push);
    });
  }

  /** Those of the organization that are linked to the repository, by id. */
  private async appsOf({ organizationId, repositoryKey }: GitHook): Promise<string[]> {
    const linked = await this.links.listOf(organizationId, repositoryOfKey(repositoryKey));
    return linked.map(({ appId }) => appId);
  }

  /** At most once a minute: strangers cannot make the server write. */
  private async noteRefusal(id: string, lastError: string): Promise<void> {
    await this.hooks
      .createQueryBuilder()
      .update({ lastError, lastErrorAt: () => 'now()' })
      .where({ id })
      .andWhere(`(last_error_at IS NULL OR last_error_at NOT BETWEEN now() - interval '1 minute' AND now())`)
      .execute();
  }

  private seal(id: string, secret: string): string {
    return this.secrets.seal(secret, contextOf(id));
  }
}

function isHookProvider(provider: string): provider is HookProvider {
  return (hookProviders as readonly string[]).includes(provider);
}

function contextOf(id: string): string {
  return `git_hooks:${id}`;
}
