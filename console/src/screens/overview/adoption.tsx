import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { latestBuildsQuery } from '../../api/builds';
import { devicesByBundleQuery } from '../../api/insights';
import { releaseName } from '../../parts/release';
import { FailureNote } from '../../parts/failure';
import { counted } from '../../parts/format';
import { EmptyState, RowsSkeleton, Section } from '../../parts/page';
import { type Line, LineChart } from '../../parts/line-chart';

/** Releases with a line of their own. */
const LINES = 3;

/** What devices run, by day: the share of the releases that most devices run, from the first day with a device. */
export function Adoption({ appId }: { appId: string }): ReactNode {
  const days = useQuery(devicesByBundleQuery(appId));
  const known = (days.data ?? []).slice(
    (days.data ?? []).findIndex(({ groups }) => groups.some(({ daily }) => daily > 0)),
  );
  const ids = topBundles(known);
  const lastTotal = (known.at(-1)?.groups ?? []).reduce((sum, { daily }) => sum + daily, 0);
  const builds = useQuery(latestBuildsQuery(appId));
  const names = new Map(
    (builds.data ?? []).map((build) => [build.appBuildArtifactId ?? '', releaseName(build)]),
  );
  return (
    <Section title="What devices run" note="share of the devices of each day">
      {days.error !== null ? (
        <FailureNote error={days.error} onRetry={() => void days.refetch()} />
      ) : days.data === undefined || builds.isPending ? (
        <RowsSkeleton rows={1} height={240} />
      ) : ids.length === 0 ? (
        <EmptyState title="No device has reported a release yet">
          The first check of a device shows here within half a minute.
        </EmptyState>
      ) : (
        <>
          <LineChart
            label={`Share of devices by release, ${known.length} days`}
            days={known.map(({ day }) => day)}
            lines={linesOf(known, ids, names)}
          />
          <p className="small muted more">
            Counts the devices that asked on each day, on all channels together
            {lastTotal === 0 ? '' : `: ${counted(lastTotal, 'device')} today`}. The channels above count those
            of 30 days, so their shares differ.
          </p>
        </>
      )}
    </Section>
  );
}

interface Day {
  readonly day: string;
  readonly groups: readonly {
    readonly value: string | null;
    readonly daily: number;
    readonly others: boolean;
  }[];
}

/** The releases that run on most devices on the last day, then of the days before. */
function topBundles(days: readonly Day[]): string[] {
  const last = days.at(-1)?.groups ?? [];
  return [...last]
    .filter(({ value, others }) => value !== null && !others)
    .sort((a, b) => b.daily - a.daily)
    .slice(0, LINES)
    .map(({ value }) => value!);
}

function linesOf(days: readonly Day[], ids: readonly string[], names: ReadonlyMap<string, string>): Line[] {
  const totals = days.map(({ groups }) => groups.reduce((sum, { daily }) => sum + daily, 0));
  const shareOf = (isIn: (value: string | null) => boolean) =>
    days.map(({ groups }, index) => {
      const total = totals[index] ?? 0;
      if (total === 0) return null;
      return groups.reduce((sum, { value, daily }) => (isIn(value) ? sum + daily : sum), 0) / total;
    });
  const lines = ids.map((id) => ({
    name: names.get(id) ?? 'An older release',
    shares: shareOf((value) => value === id),
  }));
  const others = shareOf((value) => !ids.includes(value ?? ''));
  return others.some((share) => share !== null && share > 0)
    ? [...lines, { name: 'Others', shares: others }]
    : lines;
}
