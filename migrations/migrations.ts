import { CreateSchema1795374642114 } from './1795374642114-create-schema.js';
import { GiveJobsSubjects1795411180958 } from './1795411180958-give-jobs-subjects.js';

/** Every migration, in order of their times. An explicit list, because a bundle has no files to search. */
export const migrations = [CreateSchema1795374642114, GiveJobsSubjects1795411180958];
