import { isAddressOrNetwork } from '../common/request-origin/networks.js';
import { IsTextThat } from '../common/validation/satisfies.decorator.js';

/** What a call to an address of a user, or of an app store, is for. */
export const outboundPurposes = ['git', 'source', 'store', 'webhook'] as const;
export type OutboundPurpose = (typeof outboundPurposes)[number];

/** One entry of `OUTBOUND_ALLOW`. */
export interface OutboundAllowance {
  /** `null`: every purpose. */
  readonly purpose: OutboundPurpose | null;
  /** Either an address or a network, or a host name in lower case, which may start with `*.`. */
  readonly network: string | null;
  readonly host: string | null;
}

const HOST =
  /^(?=.{1,253}$)(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A comma-separated list of `[purpose=]network-or-host`. */
export function IsOutboundAllow(): PropertyDecorator {
  return IsTextThat(
    (text) => parseOutboundAllow(text) !== null,
    '$property must be a list of networks and host names, such as 10.0.0.0/8,git=*.corp.example.com (purposes: git, source, store, webhook)',
  );
}

/** @returns the entries; `null` if one of them is invalid */
export function parseOutboundAllow(text: string): OutboundAllowance[] | null {
  const entries = text.split(',').map((entry) => parseEntry(entry.trim()));
  return entries.every((entry) => entry !== null) ? entries : null;
}

function parseEntry(text: string): OutboundAllowance | null {
  const [, name, target = ''] = /^(?:([a-z]+) *= *)?(.+)$/.exec(text) ?? [];
  const purpose = outboundPurposes.find((known) => known === name) ?? null;
  if (name !== undefined && purpose === null) return null;
  if (isAddressOrNetwork(target)) return { purpose, network: target, host: null };
  const host = target.toLowerCase();
  return HOST.test(host) ? { purpose, network: null, host } : null;
}
