import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Decision, Device } from '../../api/types';
import { percent } from '../../parts/format';
import { Icon } from '../../parts/icons';
import { TimeAgo } from '../../parts/texts';
import { decidedName } from './outcome';

type Step = Decision['steps'][number];
type StepOf<Kind extends Step['step']> = Extract<Step, { step: Kind }>;
type Check = StepOf<'deployment'>['checks'][number];

/** What each check compares. */
const checkWords: Readonly<Record<Check['check'], string>> = {
  ready: 'Bundle',
  approved: 'Approval',
  rollout: 'Share',
  min: 'Lowest native version',
  max: 'Highest native version',
  eq: 'Excluded native version',
  protection: 'Signature',
  'type-support': 'Kind of bundle',
  expiry: 'Expiry',
  damage: 'Stored files',
  'empty-files': 'Empty files',
  'missing-checksum': 'Checksum',
  rollback: 'Roll-backs',
  downgrade: 'Order of releases',
  reuse: 'Reused files',
};

/** Every step of a decision, folded: with all checks of the newest release, and those of others that failed. */
export function DecisionSteps({ device, decision }: { device: Device; decision: Decision }): ReactNode {
  const { steps, goals, deployment } = decision;
  const names = new Map(
    [deployment, ...goals.map((goal) => goal.deployment)].flatMap((each) =>
      each === null ? [] : [[each.id, decidedName(each)] as const],
    ),
  );
  const releases = steps.filter((step): step is StepOf<'deployment'> => step.step === 'deployment');
  const state = steps.find((step): step is StepOf<'channel-state'> => step.step === 'channel-state');
  return (
    <section>
      <details className="card decision">
        <summary className="pad">
          <h2>How it was decided</h2>
          <span className="small muted">
            from its last check, <TimeAgo at={device.lastSeenAt} />
          </span>
        </summary>
        <StepRow isGood={decision.channel !== null} title="Channel" text={ruleText(decision, device)} />
        {state === undefined ? null : (
          <StepRow
            isGood={state.outcome === 'delivering'}
            title="State"
            text={
              state.outcome === 'delivering' ? 'delivers' : state.outcome === 'paused' ? 'paused' : 'expired'
            }
          />
        )}
        {releases.map((step, index) => (
          <Release key={step.appDeploymentId} appId={device.appId} step={step} isNewest={index === 0}>
            {names.get(step.appDeploymentId) ?? (
              <>
                Release of <TimeAgo at={step.createdAt} />
              </>
            )}
          </Release>
        ))}
        {decision.staleReleases === null ? null : (
          <p className="small muted pad">
            This server answered without its database since <TimeAgo at={decision.staleReleases.from} />:
            checks in that time may have got something else.
          </p>
        )}
      </details>
    </section>
  );
}

function Release({
  appId,
  step,
  isNewest,
  children,
}: {
  appId: string;
  step: StepOf<'deployment'>;
  isNewest: boolean;
  children: ReactNode;
}): ReactNode {
  const shown = step.checks.filter(({ passed }) => isNewest || !passed);
  return (
    <>
      <div className="row step release">
        <Mark isGood={step.outcome === 'accepted'} />
        <Link
          className="link"
          to="/apps/$appId/deployments/$deploymentId"
          params={{ appId, deploymentId: step.appDeploymentId }}
        >
          <b className="break bidi">{children}</b>
        </Link>
        <span className="grow muted">
          {step.outcome === 'accepted'
            ? 'fits the device'
            : `does not fit, ${step.checks.filter(({ passed }) => !passed).length} of ${step.checks.length} checks fail`}
        </span>
      </div>
      {shown.map((check) => (
        <StepRow
          key={check.check}
          isGood={check.passed}
          title={checkWords[check.check]}
          text={checkText(check)}
        />
      ))}
    </>
  );
}

function StepRow({ isGood, title, text }: { isGood: boolean; title: string; text: string }): ReactNode {
  return (
    <div className="row step">
      <Mark isGood={isGood} />
      <b className="what">{title}</b>
      <span className="grow muted bidi">{text}</span>
    </div>
  );
}

function Mark({ isGood }: { isGood: boolean }): ReactNode {
  return (
    <span className={`mark ${isGood ? 'good' : 'bad'}`}>
      <Icon name={isGood ? 'check' : 'cross'} size={14} />
      <span className="visually-hidden">{isGood ? 'passed' : 'failed'}</span>
    </span>
  );
}

/** Which channel the device is served from, and why. */
function ruleText({ steps, channel }: Decision, { forcedAppChannelName }: Device): string {
  const texts = steps
    .filter((step): step is StepOf<'channel-rule'> => step.step === 'channel-rule')
    .map(({ rule, outcome, value }) => {
      if (rule === 'forced')
        return outcome === 'selected' ? `forced to ${forcedAppChannelName ?? channel?.name}` : 'not forced';
      if (rule === 'requested') {
        if (outcome === 'not-set') return 'asks for none';
        return outcome === 'selected' ? `asks for ${value}` : `asks for ${value}, which does not exist`;
      }
      return outcome === 'selected'
        ? `gets the default channel, ${channel?.name}`
        : 'the app has no default channel';
    });
  return texts.join(', ');
}

function checkText({ check, passed, required, actual }: Check): string {
  const has = actual === null || actual === '' ? 'none' : String(actual);
  switch (check) {
    case 'rollout':
      return `bucket ${actual === null ? 'none' : percent(Number(actual))}, share ${percent(Number(required))}`;
    case 'min':
      return required === null ? 'no limit' : `${has} is ${passed ? 'at least' : 'below'} ${required}`;
    case 'max':
      return required === null ? 'no limit' : `${has} is ${passed ? 'at most' : 'above'} ${required}`;
    case 'eq':
      return required === null ? 'none' : `${has} is ${passed ? 'not ' : ''}${required}`;
    case 'rollback':
      return required === null ? 'no limit' : `${has} of ${required}`;
    case 'downgrade':
    case 'reuse':
      // The values are ids of bundles.
      return passed ? 'fits' : 'does not fit';
    default:
      if (required === null || required === actual)
        return actual === null ? (passed ? 'fits' : 'does not fit') : has;
      return passed ? has : `${has}, needs ${required}`;
  }
}
