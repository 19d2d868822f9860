import type { Request } from 'express';
import { clientInfo } from './client-info.js';

/** Who sent a request, ready to be stored and shown. */
export interface Client {
  /** IP address; empty when the connection is gone already. Behind a proxy it is the client's only with `TRUST_PROXY`. */
  readonly address: string;
  /** The program's name for itself, in printable ASCII; nothing to rely on. */
  readonly userAgent: string | null;
}

/** Where a request comes from. */
export function clientOf(request: Request): Client {
  const { address, userAgent } = clientInfo(request);
  return { address: address ?? '', userAgent: userAgent?.replace(/[^\x20-\x7e]/g, '').trim() || null };
}
