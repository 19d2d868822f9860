import type { Request } from 'express';

/** A request that a guard has let through to what an organization owns. */
export interface TenantRequest extends Request {
  /** The organization; `undefined` for routes that belong to none, and where only the query names it. */
  tenantId?: string;
}
