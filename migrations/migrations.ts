import { CreateSchema1795374642114 } from './1795374642114-create-schema.js';

/** Every migration, in order of their times. An explicit list, because a bundle has no files to search. */
export const migrations = [CreateSchema1795374642114];
