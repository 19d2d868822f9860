/** A column of texts that a `SecretBox` sealed, each with the context `<table>:<value of contextColumn>`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly contextColumn: string;
}

/** Every column that holds secrets, which `slipway secrets reencrypt` seals again. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'custom_id_keys', column: 'sealed_key', contextColumn: 'id' },
  { table: 'encryption_checks', column: 'sealed_value', contextColumn: 'id' },
  { table: 'job_logs', column: 'sealed_tail', contextColumn: 'id' },
  { table: 'license_keys', column: 'sealed_key', contextColumn: 'id' },
  { table: 'stored_responses', column: 'sealed_body', contextColumn: 'id' },
  { table: 'two_factors', column: 'secret', contextColumn: 'user_id' },
];
