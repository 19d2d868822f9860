import { defineEvent } from '../../events/event-definition.js';
import { JobDto } from './job.dto.js';

export const jobCreated = defineEvent<JobDto>({
  type: 'job_created',
  title: 'Job created',
  description: 'Work in the background was requested, such as a build, an import or a submission to a store.',
  permission: 'builds:read',
  of: 'app',
  data: JobDto,
  facts: ({ platform }) => ({ Platform: platform }),
});

export const jobFinished = defineEvent<JobDto>({
  type: 'job_finished',
  title: 'Job finished',
  description: 'A job has succeeded, failed, timed out, or was canceled or rejected.',
  permission: 'builds:read',
  of: 'app',
  data: JobDto,
  facts: ({ status, statusMessage, failedStep, platform, inProgressTimeInSeconds }) => ({
    Status: status,
    Reason: statusMessage,
    'Failed step': failedStep,
    Platform: platform,
    'Run time': inProgressTimeInSeconds === null ? null : `${inProgressTimeInSeconds} s`,
  }),
});
