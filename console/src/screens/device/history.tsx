import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Device } from '../../api/types';
import { runningName } from '../../parts/device';
import { Section } from '../../parts/page';
import { releaseName } from '../../parts/release';
import { type Status, StatusBadge } from '../../parts/status';
import { TimeAgo } from '../../parts/texts';

interface Entry {
  readonly release: string;
  /** Its address; `null`: none is known. */
  readonly deploymentId: string | null;
  readonly status: Status;
  readonly at: string;
}

/** What is known of the past of a device: its last check, and what became of the release that it was offered last. */
export function History({ device }: { device: Device }): ReactNode {
  return (
    <Section title="History" note="the last offer; older ones are not kept">
      <div className="card">
        <table className="history">
          <thead>
            <tr>
              <th>Release</th>
              <th>What</th>
              <th className="number">When</th>
            </tr>
          </thead>
          <tbody>
            {entriesOf(device).map(({ release, deploymentId, status, at }) => (
              <tr key={status}>
                <td>
                  <b className="break bidi">
                    {deploymentId === null ? (
                      release
                    ) : (
                      <Link
                        className="link"
                        to="/apps/$appId/deployments/$deploymentId"
                        params={{ appId: device.appId, deploymentId }}
                      >
                        {release}
                      </Link>
                    )}
                  </b>
                </td>
                <td>
                  <StatusBadge status={status} />
                </td>
                <td className="number">
                  <TimeAgo at={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** Newest first. */
function entriesOf(device: Device): Entry[] {
  const { appDeploymentId, offeredAppBuild, appliedAt, offeredAt, rolledBackAt, lastSeenAt } = device;
  const offered = offeredAppBuild == null ? 'A deleted build' : releaseName(offeredAppBuild);
  const events: [Status, string | null][] = [
    ['wentBack', rolledBackAt],
    ['ranIt', appliedAt],
    ['offered', offeredAt],
  ];
  return [
    { release: runningName(device), deploymentId: null, status: 'runs', at: lastSeenAt },
    ...events.flatMap(([status, at]) =>
      at === null ? [] : [{ release: offered, deploymentId: appDeploymentId, status, at }],
    ),
  ];
}
