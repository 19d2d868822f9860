/** Check-ins of a server. */
export interface CheckInCounts {
  readonly written: number;
  /** Duplicates and others. */
  readonly dropped: number;
  readonly waiting: number;
}

/**
 * Reads the metrics of a server.
 *
 * @param port its `METRICS_PORT`
 * @returns `null` when it has no metrics, or counts check-ins under another name
 */
export async function checkInCounts(port: number): Promise<CheckInCounts | null> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
  const text = (await response?.text()) ?? '';
  const value = (sample: string): number | undefined => {
    const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
    return line === undefined ? undefined : Number(line.slice(sample.length));
  };
  const outcome = (name: string): number | undefined => value(`slipway_check_ins_total{outcome="${name}"}`);
  const written = outcome('written');
  const duplicates = outcome('dropped_duplicate');
  const changes = outcome('dropped');
  if (written === undefined || duplicates === undefined || changes === undefined) return null;
  return { written, dropped: duplicates + changes, waiting: value('slipway_check_in_buffer_size') ?? 0 };
}
