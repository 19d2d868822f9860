import { accessErrors } from './access-errors.js';
import { buildConflicts } from './build-conflicts.js';
import { bundleConflicts } from './bundle-conflicts.js';
import type { CataloguedError, ErrorStatus } from './catalogued-error.js';
import { channelConflicts } from './channel-conflicts.js';
import { conflictErrors } from './conflict-errors.js';
import { jobErrors } from './job-errors.js';
import { limitErrors } from './limit-errors.js';
import { notFoundErrors } from './not-found-errors.js';
import { organizationConflicts } from './organization-conflicts.js';
import { requestErrors } from './request-errors.js';
import { serverErrors } from './server-errors.js';
import { storeConflicts } from './store-conflicts.js';

const catalogue = {
  ...requestErrors,
  ...accessErrors,
  ...notFoundErrors,
  ...storeConflicts,
  ...limitErrors,
  ...channelConflicts,
  ...buildConflicts,
  ...bundleConflicts,
  ...organizationConflicts,
  ...conflictErrors,
  ...jobErrors,
  ...serverErrors,
};

/** The code of an error: a stable word for programs. */
export type ErrorCode = keyof typeof catalogue;

/** The codes with one of the statuses. */
export type ErrorCodeOf<S extends ErrorStatus> = {
  [C in ErrorCode]: (typeof catalogue)[C]['status'] extends S ? C : never;
}[ErrorCode];

/** Every error that the API can return. */
export const errorCatalogue: Readonly<Record<ErrorCode, CataloguedError>> = catalogue;
