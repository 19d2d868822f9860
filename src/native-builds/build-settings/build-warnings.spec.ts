import { findCertificateWarnings } from './build-warnings.js';

const now = new Date('2026-11-24T12:00:00Z');
const warningsOf = (expiresAt: string | null) =>
  findCertificateWarnings(
    { name: 'Upload', expiresAt: expiresAt === null ? null : new Date(expiresAt) },
    now,
  );

it.each([null, '2026-12-24T12:00:00.001Z', '2050-01-01'])('a certificate until %s has no warning', (time) => {
  expect(warningsOf(time)).toEqual([]);
});

it.each([
  ['2026-12-24T12:00:00Z', 'certificate_expires', 'expires on 2026-12-24'],
  ['2026-11-24T12:00:00.001Z', 'certificate_expires', 'expires on 2026-11-24'],
  ['2026-11-24T12:00:00Z', 'certificate_expired', 'expired on 2026-11-24'],
  ['2001-01-01', 'certificate_expired', 'expired on 2001-01-01'],
])('a certificate until %s has the warning %s', (time, code, text) => {
  expect(warningsOf(time)).toEqual([
    { code, message: expect.stringContaining(`The certificate Upload ${text}.`) },
  ]);
});
