import { Limits } from '../../src/common/background/limits.js';

/** Limits without a database: every tenant is an account. */
export const newLimits = (): Limits => new Limits({ of: (tenantId) => Promise.resolve(tenantId) });
