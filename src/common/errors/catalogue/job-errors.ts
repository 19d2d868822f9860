import type { CataloguedError } from './catalogued-error.js';

/** Errors of jobs, and of the routes that runners call for them. */
export const jobErrors = {
  job_not_found: {
    status: 404,
    message: 'Job not found.',
    meaning:
      'The job does not exist, or the caller cannot see its app. Builds that were uploaded, and deployments to channels, have no job.',
    action: 'Check the id.',
  },
  runner_missing: {
    status: 400,
    message: 'No runner builds for the platform ios.',
    meaning: 'No runner that is registered for the app, in contact or not, can do the iOS build.',
    action: 'Start a runner that builds for iOS with this stack, or name a stack that one of them has.',
  },
  build_number_unavailable: {
    status: 400,
    message:
      'The build number cannot come from the store: no destination of the app in Google Play has androidPackageName and appGoogleServiceAccountKeyId: create one, or set another buildNumber.',
    meaning:
      'The configuration of the build has the `buildNumber` `store`, and no destination of the app can say which build numbers the store has.',
    action: 'Do what the message says.',
  },
  runner_not_found: {
    status: 404,
    message: 'Runner not found.',
    meaning: 'The organization has no such runner.',
    action: 'Compare it with the list of runners.',
  },
  session_ended: {
    status: 409,
    message: 'The session has ended: another process uses the token of this runner.',
    meaning:
      'For a runner: its session was closed, or another process has opened one with the same token. A runner has one session.',
    action:
      'Open a new session, unless another process is meant to run. Give each runner a token of its own.',
  },
  job_finished: {
    status: 400,
    message: 'The job cannot be canceled: it has succeeded.',
    meaning: 'The job has ended, so it cannot be canceled.',
    action: 'Read the job for its status.',
  },
  job_not_failed: {
    status: 400,
    message: 'Only failed jobs have a failure summary: this one has succeeded.',
    meaning: 'The job has not ended, or has ended in another way than `failed`.',
    action: 'Read the job for its status, and its log for what happened.',
  },
  lease_lost: {
    status: 410,
    message: 'The job does not belong to this runner any more.',
    meaning:
      'For a runner: the job was canceled, has ended or was deleted, or the runner did not report for too long and the job went back. `X-Job-Status` says which.',
    action: 'End the build, and send nothing more for it.',
  },
  job_not_started: {
    status: 409,
    message: 'The job has not been started.',
    meaning: 'For a runner: the request needs a job that was started.',
    action: 'Send `POST /v1/runner/job/start` first.',
  },
  log_out_of_step: {
    status: 409,
    message: 'The log has 1024 bytes: go on there.',
    meaning:
      'For a runner: the bytes begin after the end of the log, or the job ends before all of its log has arrived. `Upload-Offset` says how many bytes have arrived.',
    action: 'Send the bytes from there on, then the request again.',
  },
  log_not_decoded: {
    status: 400,
    message: 'The body is not valid gzip.',
    meaning: 'For a runner: the body is not what `Content-Encoding` says.',
    action: 'Send it as plain text, or compressed with gzip.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
