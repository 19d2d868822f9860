import type { CataloguedError } from './catalogued-error.js';

/** Errors of requests about bundles. */
export const bundleConflicts = {
  legal_hold: {
    status: 409,
    message: 'It cannot be deleted: a bundle is under legal hold. Release the hold first.',
    meaning: 'The deletion includes a bundle under [legal hold](retention.md#legal-hold).',
    action: 'Release the hold first, or keep the bundle.',
  },
  bundle_published: {
    status: 409,
    message: 'The bundle is published; its files cannot change any more.',
    meaning: 'The bundle is published, so its files cannot change.',
    action: 'Create a new bundle.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
