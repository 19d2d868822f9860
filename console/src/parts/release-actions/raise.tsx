import { Slider } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { changeShare } from '../../api/deployments';
import { ActionDialog } from '../action-dialog';
import { Banner } from '../page';
import { percent } from '../format';
import { PercentInput } from '../percent-input';
import { hasOpenPlan, type Release } from '../release';
import { Conflict } from './conflict';
import { Effect } from './effect';

/** Until the person has chosen a share, in milliseconds. */
const REST = 400;
const STEPS = [0.05, 0.1, 0.25, 0.3, 0.5, 0.75, 1];

/** Gives a release to more devices, or to fewer. Says how many, who never can, and what becomes of its plan. */
export function RaiseDialog({
  release,
  to,
  onDone,
  onClose,
}: {
  release: Release;
  /** The share to begin with, 0 to 1; else the next usual one. */
  to?: number;
  onDone: () => Promise<unknown>;
  onClose: () => void;
}): ReactNode {
  // As the person saw it: what others change after that is a conflict.
  const [{ deployment, name }] = useState(release);
  const now = deployment.rolloutPercentage ?? 1;
  const next = to ?? STEPS.find((step) => step > now) ?? 1;
  const [share, setShare] = useState(next);
  /** The share that is simulated: not each one on the way to it. */
  const [rested, setRested] = useState(next);
  useEffect(() => {
    const timer = setTimeout(() => setRested(share), REST);
    return () => clearTimeout(timer);
  }, [share]);
  const verb = share >= now ? 'Raise' : 'Lower';
  return (
    <ActionDialog
      title={`Raise ${name}`}
      confirm={`${verb} to ${percent(share)}`}
      blocked={share === now ? 'This is the present share.' : undefined}
      onClose={onClose}
      conflict={<Conflict appId={deployment.appId} deploymentId={deployment.id} />}
      act={async (comment, _key, overwrite) => {
        await changeShare(deployment, share, comment, overwrite ? undefined : deployment.etag);
        await onDone();
      }}
    >
      <div>
        <div className="between">
          <span className="muted">from {percent(now)}</span>
          <PercentInput label="Share of devices in percent" share={share} onChange={setShare} />
        </div>
        <Slider
          mt={12}
          thumbLabel="Share of devices in percent"
          value={share * 100}
          min={0}
          max={100}
          step={1}
          label={null}
          onChange={(value) => setShare(value / 100)}
        />
        <div className="actions chips">
          {STEPS.filter((step) => step > now).map((step) => (
            <button
              key={step}
              type="button"
              className="chip"
              aria-pressed={share === step}
              onClick={() => setShare(step)}
            >
              {percent(step)}
            </button>
          ))}
        </div>
      </div>
      <Effect
        appId={deployment.appId}
        change={{ change: 'rollout', appDeploymentId: deployment.id, rolloutPercentage: rested }}
        text={rested >= now ? 'more devices get it' : 'devices no longer get it'}
        devicesOf={({ total }) => total.changed}
        without={['rollout', 'other-channel', 'forced-elsewhere', 'no-default-channel', 'channel-not-found']}
      />
      {hasOpenPlan(release) ? (
        <Banner tone="warn">
          This ends the plan of {name}, and its health check with it. It stays at {percent(share)} until you
          raise it again.
        </Banner>
      ) : null}
    </ActionDialog>
  );
}
