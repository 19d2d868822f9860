import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import {
  And,
  type DeepPartial,
  type FindOperator,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThan,
  MoreThan,
  type Repository,
} from 'typeorm';
import { MAX_BUILD_NUMBER } from '../../apps/apps/app.entity.js';
import { AppsService } from '../../apps/apps/apps.service.js';
import type { BuildFormFactor } from '../../common/build-numbers.js';
import { type FieldError, invalidFields, errorOf } from '../../common/errors/app-error.js';
import { Listeners } from '../../common/listeners.js';
import type { Page } from '../../common/pagination/page.js';
import { isUuid } from '../../common/validation/uuid.js';
import { legalHoldViolations } from '../../common/errors/legal-hold.js';
import {
  deleteOrThrow,
  findOrThrow,
  findPage,
  insertOrThrow,
  lockOrThrow,
  updateOrThrow,
} from '../../database/rows.js';
import { idContains } from '../../database/text-filters.js';
import { transaction } from '../../database/transactions/transaction.js';
import { JobsService } from '../../jobs/jobs/jobs.service.js';
import { compareVersions } from '../../common/compare-versions.js';
import { Build, type BuildPlatform } from './build.entity.js';
import { inStatus } from './builds.queries.js';
import type { ListBuildsQuery, UpdateBuildDto } from './build.dto.js';
import type { BuildTargetingDto } from './create-build.dto.js';

export type VersionConstraintFields = Omit<BuildTargetingDto, 'customProperties'>;

/** The fields of each platform. */
const ranges = [
  {
    platform: 'android',
    min: 'minAndroidAppVersionCode',
    max: 'maxAndroidAppVersionCode',
    eq: 'eqAndroidAppVersionCode',
  },
  { platform: 'ios', min: 'minIosAppVersionCode', max: 'maxIosAppVersionCode', eq: 'eqIosAppVersionCode' },
  {
    platform: 'electron',
    min: 'minElectronAppVersionCode',
    max: 'maxElectronAppVersionCode',
    eq: 'eqElectronAppVersionCode',
  },
] as const;

/** The numbers that builds of an app have taken from its store. */
export interface TakenNumbers {
  /** The highest one for some devices; `null`: no build has one for them. */
  readonly highest: number | null;
  /** Those above it, which are for other devices. */
  readonly ofOthers: readonly number[];
}

/** Builds of one automation and ref that are looked through for those that wait: it starts at most 30 in an hour. */
const MOST_QUEUED = 100;

/** What only the runner of a build knows. */
export type BuildFindings = Partial<
  Pick<Build, 'gitCommitSha' | 'gitCommitMessage' | 'packageName' | 'packageVersion' | 'displayName'>
>;

@Injectable()
export class BuildsService {
  /** A build was created, with its job or its artifact: who creates it notifies when it is complete. */
  readonly created = new Listeners<[build: Build]>();

  constructor(
    @InjectRepository(Build) private readonly builds: Repository<Build>,
    private readonly apps: AppsService,
    private readonly jobs: JobsService,
  ) {}

  /** The builds of an app, newest first. */
  async list(appId: string, query: ListBuildsQuery): Promise<Page<Build>> {
    const { appAutomationId } = query;
    if (appAutomationId !== undefined && !isUuid(appAutomationId)) return { items: [], total: 0 };
    const base: FindOptionsWhere<Build> = { appId };
    if (appAutomationId !== undefined) base.automationId = appAutomationId;
    if (query.platform !== undefined) base.platform = query.platform;
    if (query.numberAsString !== undefined) base.number = toNumber(query.numberAsString);
    let where = [base];
    if (query.appGitCommit !== undefined) {
      const commit = query.appGitCommit;
      where = where.flatMap((w) => [
        { ...w, gitRef: commit },
        { ...w, gitCommitSha: commit },
      ]);
    }
    if (query.query !== undefined) {
      const text = query.query;
      where = where.flatMap((w) => [{ ...w, id: idContains(text) }, ...numbered(w, toNumber(text))]);
    }
    if (query.status !== undefined) {
      const isOne = inStatus(appId, query.status);
      where = where.map((w) => ({
        ...w,
        id: w.id === undefined ? isOne : And(w.id as FindOperator<string>, isOne),
      }));
    }
    return findPage(this.builds, where, query, { createdAt: 'DESC' });
  }

  /** @throws NotFoundError */
  get(appId: string, id: string): Promise<Build> {
    return findOrThrow(this.builds, { appId, id });
  }

  /** The build, of whatever app; `null`: deleted. */
  find(id: string): Promise<Build | null> {
    return this.builds.findOneBy({ id });
  }

  /** The build of a job; `null`: deleted. */
  findByJob(appId: string, jobId: string): Promise<Build | null> {
    return this.builds.findOneBy({ appId, jobId });
  }

  /** As `findByJob`. @throws NotFoundError */
  getByJob(appId: string, jobId: string): Promise<Build> {
    return findOrThrow(this.builds, { appId, jobId });
  }

  /** Several builds of an app; unknown ids are left out. */
  getMany(appId: string, ids: readonly string[]): Promise<Build[]> {
    return this.builds.findBy({ appId, id: In([...ids]) });
  }

  /**
   * Creates a build under the app's next number.
   *
   * @throws InvalidRequestError when no version meets its constraints
   */
  async create(appId: string, values: DeepPartial<Build>): Promise<Build> {
    requireSatisfiable(values);
    const number = await this.apps.takeBuildNumber(appId);
    return insertOrThrow(this.builds, { ...values, appId, number });
  }

  /**
   * @throws NotFoundError
   * @throws InvalidRequestError when no version would meet its constraints
   */
  update(appId: string, id: string, changes: UpdateBuildDto): Promise<Build> {
    return transaction(async () => {
      // Locked, because two changes that are fine each can leave no version together.
      requireSatisfiable(changes, await lockOrThrow(this.builds, { appId, id }, 'for_no_key_update'));
      return updateOrThrow(this.builds, { appId, id }, { ...changes });
    });
  }

  /** Gives a new build its job, and the sealed variables of this build alone. */
  setJob(id: string, values: Pick<Build, 'jobId' | 'sealedAdHocVariables'>): Promise<Build> {
    return updateOrThrow(this.builds, { id }, values);
  }

  /**
   * Ends the builds that the same automation has started for the same ref and that no runner has taken. The build gets the
   * place of the oldest one in the queue, so that frequent pushes do not starve it. Call it in the transaction that creates it.
   */
  async replaceQueued({ number, appId, automationId, gitRefFullName, jobId }: Build): Promise<void> {
    if (automationId === null || gitRefFullName === null || jobId === null) return;
    const where = { appId, automationId, gitRefFullName, number: LessThan(number) };
    const older = await this.builds.find({ where, order: { number: 'DESC' }, take: MOST_QUEUED });
    const jobs = await this.jobs.getMany(older.flatMap(({ jobId: each }) => (each === null ? [] : [each])));
    const queued = [...jobs.values()].filter(({ status, isAutomated }) => status === 'queued' && isAutomated);
    const sentence = `Build ${number} of a newer commit has replaced it.`;
    await this.jobs.replace(
      queued.map((job) => job.id),
      jobId,
      sentence,
    );
  }

  /** The builds that the automation of a build has started after it, newest first; of one that none has started, none. */
  async newerOf({ appId, automationId, number }: Build): Promise<Build[]> {
    if (automationId === null) return [];
    const where = { appId, automationId, number: MoreThan(number) };
    return this.builds.find({ where, order: { number: 'DESC' } });
  }

  /** The numbers that builds of an app have taken from the store for a package. @param formFactor whose highest counts */
  async takenStoreNumbers(
    appId: string,
    platform: BuildPlatform,
    storePackageName: string,
    formFactor: BuildFormFactor,
  ): Promise<TakenNumbers> {
    const where = { appId, platform, storePackageName };
    const own = { ...where, storeFormFactor: formFactor };
    const highest = await this.builds.findOne({
      select: { id: true, storeBuildNumber: true },
      // Builds that have their number from an earlier version say no form factor.
      where: formFactor === 'phone' ? [own, { ...where, storeFormFactor: IsNull() }] : own,
      order: { storeBuildNumber: 'DESC' },
    });
    const above = await this.builds.find({
      select: { id: true, storeBuildNumber: true },
      where: { ...where, storeBuildNumber: MoreThan(highest?.storeBuildNumber ?? 0) },
    });
    return {
      highest: highest?.storeBuildNumber ?? null,
      ofOthers: above.flatMap(({ storeBuildNumber }) => storeBuildNumber ?? []),
    };
  }

  /** Notes the number that a build has taken from the store. */
  async setStoreNumber(
    id: string,
    values: Pick<Build, 'storePackageName' | 'storeFormFactor' | 'storeBuildNumber'>,
  ): Promise<void> {
    await updateOrThrow(this.builds, { id }, values);
  }

  /** Notes what a runner has found out about a build; `undefined` leaves a column unchanged. */
  async setFindings(id: string, findings: BuildFindings): Promise<void> {
    await updateOrThrow(this.builds, { id }, { ...findings });
  }

  /** Notes what was read of an imported file. */
  async setImported(
    id: string,
    values: Pick<Build, 'type' | 'packageName' | 'packageVersion' | 'displayName'>,
  ): Promise<void> {
    await updateOrThrow(this.builds, { id }, values);
  }

  /**
   * Deletes a build with its artifacts and deployments.
   *
   * @throws NotFoundError
   * @throws ConflictError when its bundle is under legal hold, or its job has not ended
   */
  async delete(appId: string, id: string): Promise<void> {
    await transaction(async () => {
      const { jobId } = await lockOrThrow(this.builds, { appId, id });
      if (jobId !== null && (await this.jobs.get(jobId)).finishedAt === null) throw errorOf('build_running');
      await deleteOrThrow(this.builds, { appId, id }, legalHoldViolations);
    });
  }
}

/** @returns 0, which no build has, for anything but a valid number */
function toNumber(text: string): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return number <= MAX_BUILD_NUMBER ? number : 0;
}

function numbered(where: FindOptionsWhere<Build>, number: number): FindOptionsWhere<Build>[] {
  return number > 0 && (where.number === undefined || where.number === number) ? [{ ...where, number }] : [];
}

/**
 * Refuses version constraints that leave no version of a platform. Platforms whose constraints do not change are not
 * checked.
 *
 * @param changes an absent field keeps its stored value
 * @param stored constraints of the build so far; empty for a new one
 * @throws InvalidRequestError
 */
export function requireSatisfiable(
  changes: VersionConstraintFields,
  stored: VersionConstraintFields = {},
): void {
  const errors = ranges.flatMap(({ platform, ...fields }): FieldError[] => {
    const changed = Object.values(fields).filter((field) => changes[field] !== undefined);
    const [field] = changed;
    if (field === undefined) return [];
    const valueOf = (name: keyof VersionConstraintFields): string | null =>
      (changes[name] === undefined ? stored[name] : changes[name]) ?? null;
    const [min, max, eq] = [valueOf(fields.min), valueOf(fields.max), valueOf(fields.eq)];
    if (min === null || max === null) return [];
    const order = compareVersions(min, max, platform);
    if (order === null || order > 0) {
      return [{ field, message: `No version is between ${fields.min} (${min}) and ${fields.max} (${max}).` }];
    }
    if (order === 0 && eq !== null && compareVersions(min, eq, platform) === 0) {
      return [
        {
          field,
          message: `${fields.eq} (${eq}) excludes the only version between ${fields.min} and ${fields.max}.`,
        },
      ];
    }
    return [];
  });
  if (errors.length > 0) throw invalidFields(errors);
}
