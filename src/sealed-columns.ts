import type { SealedColumn } from './database/reseal.js';

/** Every column that holds secrets, which `slipway secrets reencrypt` seals again. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'certificates', column: 'sealed_file', contextColumn: 'id' },
  { table: 'certificates', column: 'sealed_key_password', contextColumn: 'id' },
  { table: 'certificates', column: 'sealed_password', contextColumn: 'id' },
  { table: 'certificates', column: 'sealed_signing_key', contextColumn: 'id' },
  { table: 'builds', column: 'sealed_ad_hoc_variables', contextColumn: 'id' },
  { table: 'build_sources', column: 'sealed_file_url', contextColumn: 'id' },
  { table: 'custom_id_keys', column: 'sealed_key', contextColumn: 'id' },
  { table: 'destinations', column: 'sealed_apple_app_password', contextColumn: 'id' },
  { table: 'destinations', column: 'sealed_huawei_client_secret', contextColumn: 'id' },
  { table: 'encryption_checks', column: 'sealed_value', contextColumn: 'id' },
  { table: 'job_logs', column: 'sealed_masks', contextColumn: 'id' },
  { table: 'job_logs', column: 'sealed_tail', contextColumn: 'id' },
  { table: 'environment_secrets', column: 'sealed_value', contextColumn: 'id' },
  { table: 'git_connections', column: 'sealed_secret', contextColumn: 'id' },
  { table: 'license_keys', column: 'sealed_key', contextColumn: 'id' },
  { table: 'store_keys', column: 'sealed_file', contextColumn: 'id' },
  { table: 'provisioning_profiles', column: 'sealed_file', contextColumn: 'id' },
  { table: 'stored_responses', column: 'sealed_body', contextColumn: 'id' },
  { table: 'submissions', column: 'sealed_upload', contextColumn: 'id' },
  { table: 'webhooks', column: 'sealed_url', contextColumn: 'id' },
  { table: 'webhooks', column: 'sealed_signing_secret', contextColumn: 'id' },
  { table: 'webhooks', column: 'sealed_previous_signing_secret', contextColumn: 'id' },
  { table: 'webhooks', column: 'sealed_headers', contextColumn: 'id' },
  { table: 'two_factors', column: 'secret', contextColumn: 'user_id' },
];
