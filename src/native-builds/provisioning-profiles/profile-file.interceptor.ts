import { SmallFileInterceptor } from '../../common/http/small-file.interceptor.js';

/** Largest provisioning profile: 1 MiB. They have about twelve kilobytes, and more with thousands of devices. */
export const MAX_PROFILE_BYTES = 1024 * 1024;

export const ProfileFileInterceptor = SmallFileInterceptor(
  MAX_PROFILE_BYTES,
  ': upload a provisioning profile, and no app',
);
