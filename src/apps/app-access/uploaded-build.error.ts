import { AppError } from '../../common/errors/app-error.js';

/** 404 for `/v1/jobs/null`: clients put the `jobId` of a build into the path, which is `null` for uploaded ones. */
export class UploadedBuildError extends AppError {
  constructor() {
    super('This build was uploaded: it has no job.', 'job_not_found');
  }
}
