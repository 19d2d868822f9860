import { CreateSchema1795374642114 } from './1795374642114-create-schema.js';
import { VersionObjects1795411179129 } from './1795411179129-version-objects.js';
import { GiveJobsSubjects1795411180958 } from './1795411180958-give-jobs-subjects.js';
import { DropManifestComparisons1795413247000 } from './1795413247000-drop-manifest-comparisons.js';

/** Every migration, in order of their times. An explicit list, because a bundle has no files to search. */
export const migrations = [
  CreateSchema1795374642114,
  VersionObjects1795411179129,
  GiveJobsSubjects1795411180958,
  DropManifestComparisons1795413247000,
];
