/** What warnings can be about. docs/warnings.md explains each of them. */
export const warningCodes = [
  // Of bundles.
  'ambiguous_index',
  'empty_files',
  'index_not_at_root',
  'inner_manifest',
  'manifest_for_electron',
  'missing_checksum',
  'missing_utf8_flag',
  'special_permissions',
  'unsafe_reuse',
  'windows_names',
  'wrapping_folder',
  // Of builds.
  'certificate_expired',
  'certificate_expires',
  'provisioning_profile_expires',
  // Of what a change means for devices, rollout plans and approvals.
  'approval_outdated',
  'bundle_blocked',
  'channel_expired',
  'channel_paused',
  'channel_share',
  'constraint_excludes_devices',
  'constraint_fits_no_device',
  'hidden_by_newer',
  'native_version_unknown',
  'native_version_unseen',
  'not_counted',
  'older_web_code',
  'rollout_plan_ends',
  'same_content',
  'updates_end',
] as const;
export type WarningCode = (typeof warningCodes)[number];

/** How the devices of a `count` were counted. */
export interface Counted {
  /** Devices that were read. */
  readonly devices: number;
  /** Whether they are a sample of the devices, so that `count` is an estimate. */
  readonly sampled: boolean;
}

/** A request that avoids or undoes what a warning says. */
export interface WarningRemedy {
  /** Of the OpenAPI document. */
  readonly operationId: string;
  /** Its parameters of path, query and body by name, as far as they are known. */
  readonly parameters: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
  /** One sentence for people. */
  readonly sentence: string;
}

/** A remark about a request that succeeds all the same. */
export interface Warning<Code extends WarningCode = WarningCode> {
  readonly code: Code;
  /** One sentence or two for people. */
  readonly message: string;
  /** Devices that it is about; absent: it is about no devices, or they were not counted. */
  readonly count?: number;
  readonly counted?: Counted;
  readonly remedy?: WarningRemedy;
}
