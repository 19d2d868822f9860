import { CreateSchema1795374642114 } from './1795374642114-create-schema.js';
import { DropManifestComparisons1795413247000 } from './1795413247000-drop-manifest-comparisons.js';

/** Every migration, in order of their times. An explicit list, because a bundle has no files to search. */
export const migrations = [CreateSchema1795374642114, DropManifestComparisons1795413247000];
