import { defineEvent } from '../../events/event-definition.js';
import { JobUnmatchedEventDto } from './job-unmatched-event.dto.js';

export const jobUnmatched = defineEvent<JobUnmatchedEventDto>({
  type: 'job_unmatched',
  title: 'No runner for a job',
  description: 'A job has waited for a minute, and no registered runner can do it. It is rejected soon.',
  permission: 'builds:read',
  of: 'app',
  data: JobUnmatchedEventDto,
  facts: ({ platform, missing, labels }) => ({
    Missing: missing,
    Platform: platform,
    Labels: labels.length === 0 ? null : labels.join(', '),
  }),
  severity: 'warning',
  notice: {
    kind: 'health',
    to: 'readers',
    advice: 'Start a runner that can do the job, or cancel it.',
    path: ({ objectId }) => `/v1/jobs/${objectId}`,
    page: ({ appId, data }) => (data.appBuildId === null ? null : `/apps/${appId}/builds/${data.appBuildId}`),
  },
});
