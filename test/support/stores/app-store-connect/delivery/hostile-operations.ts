import type { UploadOperation } from '../state/uploads.ts';

type Change = (operations: readonly UploadOperation[]) => readonly UploadOperation[];

const each =
  (change: (operation: UploadOperation) => UploadOperation): Change =>
  (operations) =>
    operations.map(change);

const at = (origin: string): Change =>
  each((operation) => {
    const { pathname, search } = new URL(operation.url);
    return { ...operation, url: `${origin}${pathname}${search}` };
  });

const header = (name: string, value: string): Change =>
  each((operation) => ({ ...operation, requestHeaders: [...operation.requestHeaders, { name, value }] }));

/** Operations that no client should follow. */
export const HOSTILE_OPERATIONS = {
  'private-address': at('http://169.254.169.254'),
  'private-https-address': at('https://10.0.0.1'),
  'other-host': at('https://elsewhere.example'),
  'no-url': each((operation) => ({ ...operation, url: 'file:///etc/passwd' })),
  'authorization-header': header('Authorization', 'Bearer stolen'),
  'host-header': header('Host', 'elsewhere.example'),
  'broken-header': header('X-Part', 'one\r\nX-Two: two'),
  'other-method': each((operation) => ({ ...operation, method: 'DELETE' })),
  expired: each((operation) => ({ ...operation, expiration: new Date(Date.now() - 1000).toISOString() })),
  gap: (operations) => operations.slice(1),
  'beyond-the-end': each((operation) => ({ ...operation, length: operation.length + 1_000_000_000 })),
  negative: each((operation) => ({ ...operation, offset: -1 })),
  none: () => [],
  many: (operations) =>
    Array.from({ length: 20_000 }, () => operations[0]).filter((one) => one !== undefined),
} satisfies Record<string, Change>;

export type HostileOperations = keyof typeof HOSTILE_OPERATIONS;
