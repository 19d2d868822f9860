/** PostgreSQL takes payloads below 8,000 bytes. */
const MAX_LENGTH = 7000;

/** The payload of the topic `EVENTS`. @returns empty when there are too many organizations: then all may have new events */
export function signalPayload(organizationIds: readonly string[]): string {
  const payload = [...new Set(organizationIds)].join(',');
  return payload.length <= MAX_LENGTH ? payload : '';
}

/** Reads `signalPayload`. @returns `null`: all organizations may have new events */
export function signaledOrganizations(payload: string): readonly string[] | null {
  return payload === '' ? null : payload.split(',');
}
