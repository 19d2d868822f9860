import type { androidpublisher_v3 as api } from '@googleapis/androidpublisher';
import type { JsonValue } from '../../../common/json-value.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { parseJson } from '../../calls/response-text.js';
import type { StoreResponse } from '../../calls/store-session.js';
import { findRefusal, unusableRefusal } from '../refusals/find-refusal.js';

/**
 * A value of an answer, which may be anything: Google's document of the API names the fields, and reading what is not there
 * gives an empty value.
 */
export interface PlayJson<T> extends Omit<JsonValue, 'get' | 'items'> {
  get<K extends keyof T & string>(name: K): PlayJson<NonNullable<T[K]>>;
  readonly items: T extends readonly (infer Item)[] ? PlayJson<Item>[] : [];
}

/** An edit, which collects changes until it is committed. */
export interface PlayEdit {
  /** Digits that begin with 0 and exceed 2^53: a text. */
  readonly id: string;
  /** `null`: Google does not say. */
  readonly expiresAt: Date | null;
}

/** A file that the edit knows. */
export interface PlayArtifact {
  readonly versionCode: number;
  /** In hex, in lower case; `null`: Google does not say. */
  readonly sha256: string | null;
}

/** A file that was uploaded. */
export interface UploadedArtifact extends PlayArtifact {
  readonly sha1: string | null;
}

export const PLAY_RELEASE_STATUSES = ['draft', 'inProgress', 'halted', 'completed'] as const;
export type PlayReleaseStatus = (typeof PLAY_RELEASE_STATUSES)[number];

/** A release of a track in an edit. */
export interface PlayRelease {
  readonly name: string | null;
  readonly versionCodes: readonly number[];
  /** `null`: one that Slipway does not know. */
  readonly status: PlayReleaseStatus | null;
  /** Of a staged release, between 0 and 1. */
  readonly userFraction: number | null;
}

/** A release of a track with all that Google Play says about it, which is sent back unchanged. */
export interface WholeRelease extends PlayRelease {
  readonly document: Readonly<Record<string, unknown>>;
}

/** A track in an edit. */
export interface TrackReleases {
  readonly track: string;
  readonly releases: readonly PlayRelease[];
}

/** A release as `tracks.update` takes it. */
export interface NewPlayRelease {
  readonly versionCodes: readonly number[];
  readonly status: PlayReleaseStatus;
  /** Between 0 and 1, only for `inProgress` and `halted`. */
  readonly userFraction?: number;
  readonly releaseNotes?: readonly { readonly language: string; readonly text: string }[];
  /** From 0 to 5. */
  readonly inAppUpdatePriority?: number;
}

/** A release of a track, as the track shows it without an edit. */
export interface ReleaseSummary {
  readonly name: string | null;
  /** Such as `IN_REVIEW` or `PUBLISHED`, without the prefix `RELEASE_LIFECYCLE_STATE_`; `null`: Google does not say. */
  readonly state: string | null;
  readonly versionCodes: readonly number[];
}

/** How far an upload is. */
export type UploadProgress =
  | { readonly done: false; readonly receivedBytes: number }
  /** `artifact: null`: it was a file with symbols. */
  | { readonly done: true; readonly artifact: UploadedArtifact | null };

/** The JSON of an answer, to read as Google documents it. @throws StoreRefusal when it is none */
export function jsonOf<T>({ status, text }: Pick<StoreResponse, 'status' | 'text'>): PlayJson<T> {
  const answer = parseJson(text);
  if (answer?.isObject !== true) throw unusable(status, text);
  return playJsonOf(answer);
}

/** A value to read as Google documents it. */
export function playJsonOf<T>(value: JsonValue): PlayJson<T> {
  return value as unknown as PlayJson<T>;
}

/** A list of an answer. Google leaves empty ones out. @throws StoreRefusal when there is something else */
export function listOf<Item>(list: PlayJson<Item[]>): PlayJson<Item>[] {
  if (!list.isListOrAbsent) throw unusable(200, '');
  return list.items;
}

/** The error of an answer that has another form than the API documents. */
export function unusable(status: number, text: string): StoreRefusal {
  const { storeMessage } = findRefusal('read', { status, headers: {}, text });
  return new StoreRefusal(unusableRefusal(), status, storeMessage);
}

/** @throws StoreRefusal when it has no id */
export function toPlayEdit(value: PlayJson<api.Schema$AppEdit>): PlayEdit {
  const id = value.get('id').text ?? '';
  if (!/^[\w-]{1,100}$/.test(id)) throw unusable(200, '');
  const seconds = Number(value.get('expiryTimeSeconds').text ?? Number.NaN);
  return { id, expiresAt: seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : null };
}

/** @returns none when Google names no version code */
export function toPlayBundle(bundle: PlayJson<api.Schema$Bundle>): PlayArtifact[] {
  return toPlayArtifact(bundle, bundle);
}

/** @returns as `toPlayBundle` */
export function toPlayApk(apk: PlayJson<api.Schema$Apk>): PlayArtifact[] {
  return toPlayArtifact(apk, apk.get('binary'));
}

function toPlayArtifact(
  file: PlayJson<{ versionCode?: number | null }>,
  digests: PlayJson<{ sha256?: string | null }>,
): PlayArtifact[] {
  const versionCode = versionCodeOf(file.get('versionCode'));
  return versionCode === null ? [] : [{ versionCode, sha256: digestOf(digests.get('sha256'), 64) }];
}

/** A release of a track. */
export function toPlayRelease(value: PlayJson<api.Schema$TrackRelease>): PlayRelease {
  const status = value.get('status').text;
  const fraction = Number(value.get('userFraction').text ?? Number.NaN);
  return {
    name: value.get('name').text,
    versionCodes: versionCodesOf(value.get('versionCodes').items),
    status: PLAY_RELEASE_STATUSES.find((known) => known === status) ?? null,
    userFraction: fraction > 0 && fraction < 1 ? fraction : null,
  };
}

/** A release that is shown without an edit. */
export function toReleaseSummary(value: PlayJson<api.Schema$ReleaseSummary>): ReleaseSummary {
  return {
    name: value.get('releaseName').text,
    state: value.get('releaseLifecycleState').text?.replace(/^RELEASE_LIFECYCLE_STATE_/, '') ?? null,
    versionCodes: versionCodesOf(value.get('activeArtifacts').items.map((item) => item.get('versionCode'))),
  };
}

/**
 * What the address of an upload answers, where the status 308 is no redirect.
 *
 * @param size of the file, in bytes
 * @throws StoreRefusal
 */
export function toUploadProgress(response: StoreResponse, size: number): UploadProgress {
  const { status, headers, text } = response;
  if (status === 308) {
    const receivedBytes = receivedOf(headers.range);
    if (receivedBytes === null || receivedBytes > size) throw unusable(status, text);
    return { done: false, receivedBytes };
  }
  if (status === 200 || status === 201) return { done: true, artifact: toUploadedArtifact(status, text) };
  const refusal = findRefusal('upload', response);
  // Google forgets an upload after a week, or with its edit.
  const isLost = (status === 404 || status === 410) && refusal.refusal.code === 'store_refused';
  throw isLost ? new StoreRefusal(UPLOAD_LOST, status, refusal.storeMessage) : refusal;
}

/** The bytes that `Range` confirms, from the first one on; none without it; `null`: it says something else. */
function receivedOf(range: string | string[] | undefined): number | null {
  if (range === undefined) return 0;
  const [, last] = /^bytes=0-(\d{1,15})$/.exec(String(range).trim()) ?? [];
  return last === undefined ? null : Number(last) + 1;
}

/** What an upload has become. A file with symbols has no version code itself. */
function toUploadedArtifact(status: number, text: string): UploadedArtifact | null {
  const answer = parseJson(text);
  const versionCode = answer === null ? null : versionCodeOf(answer.get('versionCode'));
  if (answer === null || (versionCode === null && !answer.get('deobfuscationFile').isObject)) {
    throw unusable(status, text);
  }
  if (versionCode === null) return null;
  // A bundle has its digests beside the version code, an APK in `binary`.
  const digests = answer.get('binary').isObject ? answer.get('binary') : answer;
  const [sha1, sha256] = [digestOf(digests.get('sha1'), 40), digestOf(digests.get('sha256'), 64)];
  return { versionCode, sha1, sha256 };
}

/** A version code; `null`: the value is none. */
function versionCodeOf(value: Pick<JsonValue, 'text'>): number | null {
  const text = value.text ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

function versionCodesOf(values: readonly Pick<JsonValue, 'text'>[]): number[] {
  return values.map(versionCodeOf).filter((code) => code !== null);
}

/** A digest in hex, in lower case; `null`: the value is none. @param characters that it has */
function digestOf(value: Pick<JsonValue, 'text'>, characters: number): string | null {
  const text = value.text?.toLowerCase() ?? '';
  return text.length === characters && /^[0-9a-f]+$/.test(text) ? text : null;
}

const UPLOAD_LOST: Refusal = {
  code: 'upload_lost',
  sentence:
    'Google Play does not know the upload any more. Slipway begins it again; after too many attempts, submit again.',
  retry: 'again',
  does: 'new-upload',
};
