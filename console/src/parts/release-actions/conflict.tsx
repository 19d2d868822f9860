import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { deploymentQuery } from '../../api/deployments';
import { percent } from '../format';
import { Banner } from '../page';
import { personName, TimeAgo } from '../texts';

/** Another change of a release came first: who did what. The dialog offers to do it all the same. */
export function Conflict({ appId, deploymentId }: { appId: string; deploymentId: string }): ReactNode {
  const { data } = useQuery(deploymentQuery(appId, deploymentId));
  return (
    <Banner tone="warn">
      This changed after the page was read.{' '}
      {data === undefined ? (
        'Look at it again before you go on.'
      ) : (
        <>
          <b>{data.updatedBy === null ? 'Its plan' : personName(data.updatedBy)}</b> gave it to{' '}
          {percent(data.rolloutPercentage)} of devices, <TimeAgo at={data.updatedAt} />
          {data.comment === null ? '.' : `: ${data.comment}`}
        </>
      )}
    </Banner>
  );
}
