import type { AppleApp, Platform } from './connect-state.ts';
import type { Build } from './builds.ts';

/** https://developer.apple.com/documentation/appstoreconnectapi/builduploadstate */
export const UPLOAD_STATES = ['AWAITING_UPLOAD', 'PROCESSING', 'FAILED', 'COMPLETE'] as const;

/** https://developer.apple.com/documentation/appstoreconnectapi/statedetail */
export interface StateDetail {
  readonly code: string;
  readonly description: string;
}

/** The upload of a build. */
export interface BuildUpload {
  readonly id: string;
  readonly app: AppleApp;
  readonly platform: Platform;
  readonly version: string;
  readonly buildNumber: string;
  readonly createdAt: Date;
  uploadedAt: Date | null;
  state: (typeof UPLOAD_STATES)[number];
  errors: readonly StateDetail[];
  warnings: readonly StateDetail[];
  file: BuildUploadFile | null;
  /** What it became; `named`: whether the upload shows it. */
  build: Build | null;
  namesBuild: boolean;
  /** Reads of the upload until Apple has processed it. */
  pollsLeft: number;
  /** Until when it is processed at least. */
  busyUntil: number;
  /** Reads of the upload until it names its build. */
  namesBuildIn: number;
  /** What processing leads to. */
  finish: (() => void) | null;
}

/** A part of a file, and how it is sent: AvdLee/appstoreconnect-swift-sdk, `DeliveryFileUploadOperation`. */
export interface UploadOperation {
  readonly method: string;
  readonly url: string;
  readonly offset: number;
  readonly length: number;
  readonly partNumber: number;
  readonly requestHeaders: readonly { readonly name: string; readonly value: string }[];
  readonly expiration: string;
  readonly entityTag: string | null;
}

/** The file of an upload. */
export interface BuildUploadFile {
  readonly id: string;
  readonly upload: BuildUpload;
  readonly fileName: string;
  readonly fileSize: number;
  readonly uti: string;
  readonly assetType: string;
  readonly operations: readonly UploadOperation[];
  /** Numbers of the parts that have arrived. */
  readonly received: Set<number>;
  /** `AppMediaAssetState` of the same source. */
  state: 'AWAITING_UPLOAD' | 'UPLOAD_COMPLETE' | 'COMPLETE' | 'FAILED';
  errors: readonly StateDetail[];
  /** How often it was said to be uploaded, also when that was refused. */
  commits: number;
  /** Of its bytes, when all are there. */
  sha256: string | null;
}

/** The numbers as Apple compares them: 1.2 equals 1.2.0, and leading zeros go. */
export function normalized(version: string): string {
  const parts = version.split('.').map((part) => part.replace(/^0+(?=\d)/, ''));
  while (parts.length > 1 && parts.at(-1) === '0') parts.pop();
  return parts.join('.');
}

/** Below 0: the first one is lower. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((version) => normalized(version).split('.').map(Number));
  for (let index = 0; index < Math.max(first?.length ?? 0, second?.length ?? 0); index++) {
    const difference = (first?.[index] ?? 0) - (second?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
