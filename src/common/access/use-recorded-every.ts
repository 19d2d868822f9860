/**
 * How far `lastUsedAt` and `lastSeenAt` may lag behind, as an interval of PostgreSQL: they are not worth a write for
 * each request.
 */
export const USE_RECORDED_EVERY = '5 minutes';
