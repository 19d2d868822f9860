import type { ReactNode } from 'react';
import type { Deployment } from '../../api/types';
import { count, percent } from '../../parts/format';
import { Section } from '../../parts/page';

/** How many devices went back: the share, what it may be by chance, and the limit at which the plan stops. */
export function Health({ deployment }: { deployment: Deployment }): ReactNode {
  const { health, rolloutPlan: plan } = deployment;
  if (health == null) return null;
  const gate = plan?.healthGate ?? null;
  const isOpen = plan?.state === 'running' || plan?.state === 'held';
  const { applied, rolledBack, failureShare, blocked, notApplied } = health;
  const scale = Math.max(0.02, failureShare.upper * 1.2, (gate?.maxFailureShare ?? 0) * 1.5);
  const at = (share: number): string => `${Math.min(100, (share / scale) * 100)}%`;
  return (
    <Section title="Health" note="devices that went back to an older bundle">
      <div className="card pad">
        <div className="facts">
          <div>
            <span>went back</span>
            {applied === 0 ? <b>–</b> : <b className="big">{percent(rolledBack / applied)}</b>}
          </div>
          <div>
            <span>of those that ran it</span>
            <b>
              {count(rolledBack)} of {count(applied)}
            </b>
          </div>
          <div>
            <span>blocked</span>
            <b>{count(blocked)}</b>
          </div>
          <div>
            <span>not started for a day</span>
            <b>{count(notApplied)}</b>
          </div>
        </div>
        {applied === 0 ? null : (
          <>
            <svg
              className="interval"
              width="100%"
              height="16"
              role="img"
              aria-label={`Between ${percent(failureShare.lower)} and ${percent(failureShare.upper)}`}
            >
              <line x1="0" x2="100%" y1="8" y2="8" stroke="var(--line)" strokeWidth="2" />
              <line
                x1={at(failureShare.lower)}
                x2={at(failureShare.upper)}
                y1="8"
                y2="8"
                stroke={colorOf(deployment)}
                strokeWidth="8"
              />
              {gate === null ? null : (
                <line
                  x1={at(gate.maxFailureShare)}
                  x2={at(gate.maxFailureShare)}
                  y1="0"
                  y2="16"
                  stroke="var(--bad)"
                  strokeWidth="2"
                />
              )}
            </svg>
            <p className="small muted">
              The true share is probably between {percent(failureShare.lower)} and{' '}
              {percent(failureShare.upper)}
              {gate === null ? '' : `; the limit is ${percent(gate.maxFailureShare)}`}.
            </p>
          </>
        )}
        {gate === null ? null : (
          <p className="small muted">
            {applied < gate.minDevices
              ? `Not enough devices yet: ${count(applied)} of ${count(gate.minDevices)} have run it.`
              : isOpen
                ? 'The plan stops automatically when even the lower end is above the limit.'
                : 'The plan has ended: nothing stops this release automatically.'}
          </p>
        )}
      </div>
    </Section>
  );
}

/** Colour says a verdict only where there is one. */
function colorOf({ health, rolloutPlan: plan }: Deployment): string {
  const gate = plan?.healthGate ?? null;
  if (health == null || gate === null || health.applied < gate.minDevices) return 'var(--control)';
  if (health.failureShare.lower > gate.maxFailureShare) return 'var(--bad)';
  return health.failureShare.upper <= gate.maxFailureShare ? 'var(--good)' : 'var(--warn)';
}
