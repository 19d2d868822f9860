import type { CataloguedError } from './catalogued-error.js';

/** Errors of requests about builds, and what builds need. */
export const buildConflicts = {
  environment_name_taken: {
    status: 409,
    message: 'An environment with this name already exists.',
    meaning: 'The app already has an environment with this name, ignoring case.',
    action: 'Choose another name.',
  },
  environment_key_taken: {
    status: 409,
    message: 'The environment already has a variable with this key.',
    meaning: 'The environment already has a variable, or a secret, with this key.',
    action: 'Change the existing one, or use `set`, which replaces it.',
  },
  environment_full: {
    status: 409,
    message: 'An environment has at most 500 variables of 262144 bytes in total.',
    meaning:
      'The environment would have more than 500 variables, or secrets, or they would be too long in total, or its secrets have more than 1,500 lines.',
    action: 'Remove some, or store large content elsewhere.',
  },
  automation_disabled: {
    status: 409,
    message: 'The automation is disabled.',
    meaning:
      'The automation is disabled, was stopped, or may no longer do what it does; the message says why.',
    action: 'Save it with PATCH and `enabled`, as a user who may do what it does.',
  },
  automation_name_taken: {
    status: 409,
    message: 'An automation with this name already exists.',
    meaning: 'The app already has an automation with this name, ignoring case.',
    action: 'Choose another name.',
  },
  configuration_name_taken: {
    status: 409,
    message: 'A configuration with this name already exists.',
    meaning: 'The app already has a configuration with this name, ignoring case.',
    action: 'Choose another name.',
  },
  certificate_name_taken: {
    status: 409,
    message: 'A certificate with this name, platform and type already exists.',
    meaning:
      'The app already has a certificate with this name, ignoring case, for the platform and the type.',
    action: 'Choose another name.',
  },
  build_numbers_used_up: {
    status: 409,
    message: 'The app has no build number left: set nextAppBuildNumber to a lower one.',
    meaning: 'The app has used the largest build number, 2147483646.',
    action: 'Set `nextAppBuildNumber` to a free number.',
  },
  build_not_succeeded: {
    status: 409,
    message: 'Only a build that has succeeded can be shared: this one is in_progress.',
    meaning: 'The job of the build has not succeeded, or its bundle is not published.',
    action: 'Wait for the build, or share another one.',
  },
  build_running: {
    status: 409,
    message: 'The build has not ended: cancel its job first.',
    meaning: 'The build cannot be deleted while its job has not ended.',
    action: 'Cancel the job, or wait for its end.',
  },
  build_sources_pending: {
    status: 409,
    message: 'The app has 20 sources already that are being fetched, which is the limit.',
    meaning: 'The app has as many sources with a `fileUrl` that are not fetched yet as the server allows.',
    action: 'Wait until some of them are fetched, or upload the source.',
  },
  imports_pending: {
    status: 409,
    message: 'The app has 20 imports already that have not ended, which is the limit.',
    meaning:
      'The app has as many imports that wait for their upload, or are being read, as the server allows.',
    action: 'Complete their uploads, or cancel their jobs.',
  },
  import_ended: {
    status: 409,
    message: 'The file of the import is complete.',
    meaning: 'The file of the import is complete, or its job has ended.',
    action: 'Read the build, and import the file again if the job has not succeeded.',
  },
  artifact_missing: {
    status: 409,
    message: 'The build has no artifact yet: upload one before the job succeeds.',
    meaning: 'A runner reports success, but the artifacts of the build are missing or not complete.',
    action: 'Complete the uploads, then finish the job again.',
  },
} as const satisfies Readonly<Record<string, CataloguedError>>;
