import type { EventDefinition } from './events/event-definition.js';
import { jobUnmatched } from './jobs/job-queues/job-queues.events.js';
import { jobCreated, jobFinished } from './jobs/jobs/jobs.events.js';
import { runnerLost } from './jobs/lost-runners/lost-runners.events.js';

/** Every kind of event. An explicit list, because a bundle has no files to search. */
export const eventTypes: readonly EventDefinition[] = [
  // Jobs
  jobCreated,
  jobFinished,
  jobUnmatched,
  runnerLost,
];
