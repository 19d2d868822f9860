import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { count, duration, percent } from '../../parts/format';
import { ActionButton, type Action } from '../../parts/page';
import { constraintsOf, notesOf, type Release, runningOf, wentBack } from '../../parts/release';
import { ShareBar } from '../../parts/share-bar';
import { personName, TimeAgo, useNow } from '../../parts/texts';

/** The release that devices get now: a card with an accent line. */
export function PresentRelease({
  devices,
  running: counted,
  release,
  actions,
}: {
  /** Of the channel, in 30 days; `null`: not counted yet. */
  devices: number | null;
  /** Those that run its bundle, also from an earlier deployment of it; `null`: not counted yet. */
  running: number | null;
  release: Release;
  actions: readonly Action[];
}): ReactNode {
  const { deployment, name } = release;
  const { appBuild: build, health, createdBy, createdAt } = deployment;
  const share = deployment.rolloutPercentage ?? 1;
  const running = counted ?? runningOf(health);
  const runs = running === null || !devices ? null : Math.min(share, running / devices);
  const facts: [string, string][] = [
    ['gets it', percent(share)],
    ['sent to', count(health?.offered)],
    ['run it', count(running)],
    ['went back', wentBack(health)],
    ['blocked', count(health?.blocked)],
    ...nextStep(release, useNow()),
  ];
  return (
    <section aria-label={`Present release ${name}`}>
      <div className="card present pad">
        <div className="head card-head">
          <div className="head-text">
            <h2>
              <Link
                className="break"
                to="/apps/$appId/deployments/$deploymentId"
                params={{ appId: deployment.appId, deploymentId: deployment.id }}
              >
                {name}
              </Link>
              <small>
                {build === undefined || name === `Build ${build.numberAsString}`
                  ? null
                  : `build ${build.numberAsString}`}
                {build?.gitCommitSha ? <span className="mono"> {build.gitCommitSha.slice(0, 7)}</span> : null}
              </small>
            </h2>
            {notesOf(release) === null ? null : <p className="notes">{notesOf(release)}</p>}
            <p className="small muted">
              by {personName(createdBy)}, <TimeAgo at={createdAt} />
              {constraintsOf(release) === '' ? '' : ` · ${constraintsOf(release)}`}
            </p>
          </div>
          <div className="actions">
            {actions.map((action) => (
              <ActionButton key={action.label} {...action} />
            ))}
            <Link
              className="button text"
              to="/apps/$appId/deployments/$deploymentId"
              params={{ appId: deployment.appId, deploymentId: deployment.id }}
            >
              Details
            </Link>
          </div>
        </div>
        <ShareBar gets={share} runs={runs} />
        <p className="small muted legend">
          <span className="swatch gets" aria-hidden="true" /> gets it{' '}
          <span className="swatch runs" aria-hidden="true" /> runs it
        </p>
        <div className="facts">
          {facts.map(([label, value]) => (
            <div key={label}>
              <span>{label}</span>
              <b>{value}</b>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function nextStep({ deployment: { rolloutPlan: plan } }: Release, now: Date): [string, string][] {
  if (plan === undefined || plan === null || plan.state !== 'running' || plan.stepEndsAt === null) return [];
  const next = plan.steps[(plan.stepIndex ?? 0) + 1];
  if (next === undefined) return [];
  const left = Date.parse(plan.stepEndsAt) - now.getTime();
  return [
    [
      'next step',
      left > 0 ? `${percent(next.percentage)} in ${duration(left)}` : `${percent(next.percentage)} now`,
    ],
  ];
}
