import { SmallFileInterceptor } from '../../common/http/small-file.interceptor.js';

/** Largest file of a key: 64 KiB. They have about two. */
export const MAX_STORE_KEY_BYTES = 64 * 1024;

export const StoreKeyFileInterceptor = SmallFileInterceptor(MAX_STORE_KEY_BYTES, ', and no key has');
