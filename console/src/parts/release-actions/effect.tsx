import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { simulationQuery } from '../../api/deployments';
import type { SimulatedChange, Simulation } from '../../api/types';
import { FailureNote } from '../failure';
import { count } from '../format';
import { exclusions } from '../release';

type Change = Omit<SimulatedChange, 'seenWithinDays' | 'maxDevices'>;

interface EffectProps {
  readonly appId: string;
  readonly change: Change;
  /** What happens to the devices that the number counts, such as "more devices get it". */
  readonly text: string;
  /** The number of devices, for a simulation of all of them. */
  readonly devicesOf: (simulation: Simulation) => number;
  /** Reasons that the change itself is about, and that it would be confusing to name. */
  readonly without?: readonly string[];
}

/** Reasons that no change of a release takes away from the devices that it finds. */
const NEVER: ReadonlySet<string> = new Set(['min', 'max', 'eq', 'type-support']);

/** What a change will do, counted by a simulation of the devices seen in 30 days. */
export function Effect({ appId, change, text, devicesOf, without = [] }: EffectProps): ReactNode {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...simulationQuery(appId, change),
    placeholderData: (previous) => previous,
  });
  if (error !== null) return <FailureNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={52} className="late" aria-label="Counting devices" />;
  const scale = data.evaluatedDevices === 0 ? 0 : data.knownDevices / data.evaluatedDevices;
  const [first] = data.total.excluded.filter(({ reason }) => !without.includes(reason));
  const words = first === undefined ? undefined : exclusions[first.reason];
  return (
    <div aria-live="polite" className={isPlaceholderData ? 'muted' : ''}>
      <b className="big">
        {data.isExact && scale === 1 ? '' : 'about '}
        {count(Math.round(devicesOf(data) * scale))}
      </b>{' '}
      {text}
      {first === undefined || words === undefined ? null : (
        <div className="muted">
          {count(Math.round(first.devices * scale))} {NEVER.has(first.reason) ? 'never can' : 'do not'}:{' '}
          {words[1].charAt(0).toLowerCase() + words[1].slice(1)}
        </div>
      )}
    </div>
  );
}
