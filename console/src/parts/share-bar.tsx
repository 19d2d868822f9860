import type { ReactNode } from 'react';
import { percent } from './format';

/**
 * The share of devices that gets a release, in a light shade, and the share that runs it.
 *
 * @param gets 0 to 1
 * @param runs 0 to 1; `null`: not known
 */
export function ShareBar({ gets, runs }: { gets: number; runs: number | null }): ReactNode {
  const label = [
    gets > 0 || runs === null ? `${percent(gets)} get it` : null,
    runs === null ? null : `${percent(runs)} run it`,
  ]
    .filter((text) => text !== null)
    .join(', ');
  return (
    <svg className="share" width="100%" height="8" role="img" aria-label={label}>
      <rect className="share-gets" width={`${gets * 100}%`} height="8" />
      {runs === null ? null : <rect className="share-runs" width={`${runs * 100}%`} height="8" />}
    </svg>
  );
}

/** Numbers by day as a line without axes. @param days oldest first */
export function Sparkline({ days, label }: { days: readonly number[]; label: string }): ReactNode {
  const top = Math.max(...days, 1);
  const points = days.map(
    (value, index) => `${(index / Math.max(days.length - 1, 1)) * 72},${22 - (value / top) * 20}`,
  );
  return (
    <svg width="72" height="24" role="img" aria-label={label} className="sparkline">
      <polyline points={points.join(' ')} />
    </svg>
  );
}
