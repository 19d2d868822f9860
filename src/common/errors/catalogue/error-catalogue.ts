import { accessErrors } from './access-errors.js';
import type { CataloguedError, ErrorStatus } from './catalogued-error.js';
import { conflictErrors } from './conflict-errors.js';
import { jobErrors } from './job-errors.js';
import { notFoundErrors } from './not-found-errors.js';
import { requestErrors } from './request-errors.js';
import { serverErrors } from './server-errors.js';

const catalogue = {
  ...requestErrors,
  ...accessErrors,
  ...notFoundErrors,
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
