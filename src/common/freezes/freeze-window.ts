/** A freeze window: a time in which nothing that users get starts or grows. */
export interface FreezeWindow {
  /** ISO 8601 in UTC; inclusive. */
  readonly from: string;
  /** ISO 8601 in UTC; exclusive, after `from`. */
  readonly to: string;
  readonly reason: string | null;
}
