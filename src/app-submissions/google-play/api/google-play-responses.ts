import type { androidpublisher_v3 as api } from '@googleapis/androidpublisher';
import type { JsonValue } from '../../../common/json-value.js';
import type { PlayJson } from './google-play-api.js';

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

/** A version code; `null`: the value is none. */
export function versionCodeOf(value: Pick<JsonValue, 'text'>): number | null {
  const text = value.text ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

/** A digest in hex, in lower case; `null`: the value is none. @param characters that it has */
export function digestOf(value: Pick<JsonValue, 'text'>, characters: number): string | null {
  const text = value.text?.toLowerCase() ?? '';
  return text.length === characters && /^[0-9a-f]+$/.test(text) ? text : null;
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

function versionCodesOf(values: readonly Pick<JsonValue, 'text'>[]): number[] {
  return values.map(versionCodeOf).filter((code) => code !== null);
}
