import { isUuid } from '../../common/validation/uuid.js';
import { ConfigModule } from '../../config/config.module.js';
import { DatabaseModule } from '../../database/database.module.js';
import { entities } from '../../entities.js';
import { JobLimitsModule } from '../../jobs/job-queues/job-limits.module.js';
import { JobLimitsService } from '../../jobs/job-queues/job-limits.service.js';
import { command, UsageError } from '../command.js';
import { withModules } from '../with-application.js';

const MAX_LIMIT = 100_000;

/** `slipway jobs limit`: shows or sets how many jobs of an organization or an app run at the same time. */
export const jobsLimit = command({
  options: {
    organization: { type: 'string', value: 'ID', help: 'the organization' },
    app: { type: 'string', value: 'ID', help: 'the app, instead of an organization' },
    running: { type: 'string', value: 'N', help: 'jobs that run at the same time, at most; 0: no limit' },
    default: {
      type: 'boolean',
      default: false,
      help: 'back to RUNNING_JOBS_PER_ORGANIZATION; of an app: no limit',
    },
  },
  run: async ({ organization, app: appId, running, default: isDefault }) => {
    const id = organization ?? appId;
    if (id === undefined || !isUuid(id) || (organization !== undefined && appId !== undefined)) {
      throw new UsageError('Use --organization or --app with an id.');
    }
    if (running !== undefined && isDefault) throw new UsageError('Use --running or --default, not both.');
    const limit = isDefault ? null : running === undefined ? undefined : parseLimit(running);
    await withModules(
      (config) => [ConfigModule.with(config), DatabaseModule.with(entities), JobLimitsModule],
      async (app) => {
        const limits = app.get(JobLimitsService);
        if (limit !== undefined) {
          await (organization === undefined
            ? limits.setOfApp(id, limit)
            : limits.setOfOrganization(id, limit));
        }
        const state = await (organization === undefined ? limits.ofApp(id) : limits.ofOrganization(id));
        const shown = state.limit === 0 ? 'none' : String(state.limit);
        console.log(`Queued: ${state.queued}. Running: ${state.running}. Limit: ${shown}.`);
      },
    );
  },
});

/** @throws UsageError */
function parseLimit(text: string): number {
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : NaN;
  if (!(limit <= MAX_LIMIT)) throw new UsageError(`--running must be a number from 0 to ${MAX_LIMIT}.`);
  return limit;
}
