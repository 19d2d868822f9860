import type { SignedAddressQuery } from '../signed-downloads/signed-address-query.dto.js';

/** A file of this server, as its address names it. */
export type OwnFile = { readonly artifactId: string; readonly signed: SignedAddressQuery } & (
  { readonly shareId: string } | { readonly appId: string; readonly buildId: string }
);

const ID = '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const OF_SHARE = new RegExp(`^/v1/app-build-shares/${ID}/artifacts/${ID}/download$`);
const OF_BUILD = new RegExp(`^/v1/apps/${ID}/builds/${ID}/artifacts/${ID}/download$`);

/**
 * Reads the address of a download. The text must begin with the origin as this server writes it, and be one of two paths:
 * no parser of addresses decides what another one could read differently.
 *
 * @returns `null`: it is another address
 */
export function readOwnAddress(text: string, origin: string): OwnFile | null {
  if (!text.startsWith(`${origin}/`)) return null;
  const [path = '', ...rest] = text.slice(origin.length).split('?');
  const query = new URLSearchParams(rest.join('?'));
  const expiresAt = onlyOf(query, 'expiresAt', /^\d{1,15}$/);
  const signature = onlyOf(query, 'signature', /^[0-9a-f]{64}$/);
  if (expiresAt === null || signature === null) return null;
  const signed = {
    ...(expiresAt === undefined ? {} : { expiresAt: Number(expiresAt) }),
    ...(signature === undefined ? {} : { signature }),
  };
  const [, shareId, sharedId] = OF_SHARE.exec(path) ?? [];
  if (shareId !== undefined && sharedId !== undefined) return { shareId, artifactId: sharedId, signed };
  const [, appId, buildId, artifactId] = OF_BUILD.exec(path) ?? [];
  if (appId === undefined || buildId === undefined || artifactId === undefined) return null;
  return { appId, buildId, artifactId, signed };
}

/** @returns `undefined`: it is absent; `null`: it is there several times, or has another form */
function onlyOf(query: URLSearchParams, name: string, form: RegExp): string | undefined | null {
  const [value, ...others] = query.getAll(name);
  if (value === undefined) return undefined;
  return others.length === 0 && form.test(value) ? value : null;
}

/** The address of a file, made of what was read: nothing else of the text is passed on. */
export function writeOwnAddress(file: OwnFile, origin: string): string {
  const path =
    'shareId' in file
      ? `/v1/app-build-shares/${file.shareId}/artifacts/${file.artifactId}/download`
      : `/v1/apps/${file.appId}/builds/${file.buildId}/artifacts/${file.artifactId}/download`;
  const url = new URL(path, origin);
  const { expiresAt, signature } = file.signed;
  if (expiresAt !== undefined) url.searchParams.set('expiresAt', String(expiresAt));
  if (signature !== undefined) url.searchParams.set('signature', signature);
  return url.href;
}
