import { Checkbox, NumberInput, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NewPlan, RolloutPlan } from '../../api/types';
import { Icon } from '../../parts/icons';
import { count, counted, duration, percent } from '../../parts/format';
import { PercentInput } from '../../parts/percent-input';

const [MINUTE, HOUR, DAY] = [60_000, 60, 1440];
/** The durations of a step that the list offers, in minutes. */
const DURATIONS = [30, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY];
const SHARES = [0, 0.01, 0.1, 0.25, 0.5];
const MAX_STEPS = 20;

interface Step {
  /** 0 to 1. */
  readonly share: number;
  readonly minutes: number;
}

/** Who gets a release: all devices, a share of them, or more and more by a plan. */
export interface Audience {
  readonly kind: 'all' | 'share' | 'plan';
  /** 0 to 1. */
  readonly share: number;
  /** The last one has no end. */
  readonly steps: readonly Step[];
  /** Holds the plan when more devices go back; `null`: nothing does. */
  readonly gate: { readonly share: number; readonly devices: number } | null;
}

/** All devices; as plan the one that the channel had last, or a careful one. */
export function firstAudience(last: RolloutPlan | null | undefined): Audience {
  return {
    kind: 'all',
    share: 0.1,
    steps: last?.steps.map(({ percentage, durationMinutes }) => ({
      share: percentage,
      minutes: durationMinutes ?? DAY,
    })) ?? [
      { share: 0.1, minutes: HOUR },
      { share: 0.5, minutes: DAY },
      { share: 1, minutes: DAY },
    ],
    gate:
      last == null
        ? { share: 0.02, devices: 100 }
        : last.healthGate && { share: last.healthGate.maxFailureShare, devices: last.healthGate.minDevices },
  };
}

/** The share of devices that gets the release at once. */
export function shareOf({ kind, share, steps }: Audience): number {
  return kind === 'all' ? 1 : kind === 'share' ? share : steps[0]!.share;
}

/** The plan as the API takes it; `null`: the share stays. */
export function planOf({ kind, steps, gate }: Audience): NewPlan | null {
  if (kind !== 'plan') return null;
  return {
    steps: steps.map(({ share, minutes }, index) => ({
      percentage: share,
      ...(index < steps.length - 1 && { durationMinutes: minutes }),
    })),
    healthGate: gate && { maxFailureShare: gate.share, minDevices: gate.devices, confidence: 0.95 },
  };
}

/** Why the plan cannot be: the server would refuse it after the upload only. */
export function problemOf({ kind, steps }: Audience): string | null {
  const isGrowing = steps.every(({ share }, index) => share > (steps[index - 1]?.share ?? 0));
  return kind !== 'plan' || isGrowing
    ? null
    : 'Each step of the plan needs a larger share than the one before.';
}

interface AudienceFieldsProps {
  readonly audience: Audience;
  /** Whether the person may start plans. */
  readonly mayPlan: boolean;
  readonly onChange: (audience: Audience) => void;
}

export function AudienceFields({ audience, mayPlan, onChange }: AudienceFieldsProps): ReactNode {
  const { kind, share, steps } = audience;
  const kinds = [
    ['all', 'All devices'],
    ['share', 'A share'],
    ...(mayPlan ? [['plan', `By a plan: ${steps.map((step) => percent(step.share)).join(', ')}`]] : []),
  ] as [Audience['kind'], string][];
  return (
    <div role="group" aria-label="Who gets it" className="stack">
      <div>
        <span className="label">Who gets it</span>
        <div className="actions">
          {kinds.map(([each, label]) => (
            <button
              key={each}
              type="button"
              className="chip"
              aria-pressed={kind === each}
              onClick={() => onChange({ ...audience, kind: each })}
            >
              {label}
            </button>
          ))}
        </div>
      </div>
      {kind === 'share' ? (
        <div className="actions">
          {SHARES.map((each) => (
            <button
              key={each}
              type="button"
              className="chip"
              aria-pressed={share === each}
              onClick={() => onChange({ ...audience, share: each })}
            >
              {each === 0 ? 'None yet' : percent(each)}
            </button>
          ))}
          <PercentInput
            label="Share of devices in percent"
            share={share}
            onChange={(value) => onChange({ ...audience, share: value })}
          />
        </div>
      ) : null}
      {kind === 'plan' ? <PlanFields audience={audience} onChange={onChange} /> : null}
    </div>
  );
}

function PlanFields({ audience, onChange }: Omit<AudienceFieldsProps, 'mayPlan'>): ReactNode {
  const { steps, gate } = audience;
  const setSteps = (changed: readonly Step[]): void => onChange({ ...audience, steps: changed });
  const setStep = (index: number, changed: Partial<Step>): void =>
    setSteps(steps.map((step, at) => (at === index ? { ...step, ...changed } : step)));
  const last = steps.length - 1;
  return (
    <>
      <ol className="plan-fields" aria-label="Steps of the plan">
        {steps.map(({ share, minutes }, index) => (
          // Steps have no other identity than their place.
          <li key={index}>
            <PercentInput
              label={`Share of step ${index + 1} in percent`}
              share={share}
              onChange={(value) => setStep(index, { share: value })}
            />
            {index === last ? (
              <span className="muted">then the plan is complete</span>
            ) : (
              <>
                <span className="muted">for</span>
                <select
                  className="select"
                  aria-label={`Duration of step ${index + 1}`}
                  value={minutes}
                  onChange={({ currentTarget }) => setStep(index, { minutes: Number(currentTarget.value) })}
                >
                  {[...new Set([...DURATIONS, minutes])]
                    .sort((a, b) => a - b)
                    .map((each) => (
                      <option key={each} value={each}>
                        {duration(each * MINUTE)}
                      </option>
                    ))}
                </select>
              </>
            )}
            {steps.length > 1 ? (
              <UnstyledButton
                className="icon-button"
                aria-label={`Remove step ${index + 1}`}
                onClick={() => setSteps(steps.filter((_, at) => at !== index))}
              >
                <Icon name="cross" />
              </UnstyledButton>
            ) : null}
          </li>
        ))}
      </ol>
      {steps.length < MAX_STEPS ? (
        <div>
          <button
            type="button"
            className="button text"
            // Before the last one, half way to it.
            onClick={() => {
              const half = ((steps[last - 1]?.share ?? 0) + steps[last]!.share) / 2;
              const added = { share: Math.round(half * 100) / 100, minutes: DAY };
              setSteps([...steps.slice(0, last), added, steps[last]!]);
            }}
          >
            Add a step
          </button>
        </div>
      ) : null}
      <Checkbox
        label="Hold it when too many devices go back to an older release"
        checked={gate !== null}
        onChange={({ currentTarget }) =>
          onChange({ ...audience, gate: currentTarget.checked ? { share: 0.02, devices: 100 } : null })
        }
      />
      {gate === null ? null : (
        <div className="actions">
          <span className="muted">more than</span>
          <PercentInput
            label="Devices that may go back in percent"
            share={gate.share}
            onChange={(value) => onChange({ ...audience, gate: { ...gate, share: value } })}
          />
          <span className="muted">of at least</span>
          <NumberInput
            w={88}
            aria-label="Devices that have run it"
            value={gate.devices}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            hideControls
            onChange={(value) =>
              onChange({ ...audience, gate: { ...gate, devices: Math.max(1, Number(value)) } })
            }
          />
          <span className="muted">devices</span>
        </div>
      )}
    </>
  );
}

/** What comes of it, before it is done. @param devices of the channel, in 30 days; `null`: not counted yet */
export function Outlook({
  audience,
  devices,
  needsApproval,
}: {
  audience: Audience;
  devices: number | null;
  needsApproval: boolean;
}): ReactNode {
  const share = shareOf(audience);
  const first = devices === null ? null : Math.round(devices * share);
  return (
    <div aria-live="polite">
      <div className="small muted">At their next check</div>
      <b className="big">
        {first !== null && share > 0 && share < 1 ? 'about ' : ''}
        {count(first)}
      </b>{' '}
      {first === 1 ? 'device may get it' : 'devices may get it'}
      {share === 1 || devices === null ? null : (
        <div className="muted">
          {percent(share)} of {counted(devices, 'device')}
        </div>
      )}
      {audience.kind === 'plan' ? (
        <p className="says">
          {nextSteps(audience)}
          {needsApproval ? ' The plan waits until you start it after the approval.' : ''}
        </p>
      ) : null}
    </div>
  );
}

/** Such as "Goes on to 50 % after 1 h and to 100 % after 1 d more, unless more than 2 % of at least 100 devices go back." */
function nextSteps({ steps, gate }: Audience): string {
  const [, ...later] = steps.map(({ share }, index) => {
    const before = steps[index - 1];
    return `to ${percent(share)} after ${duration((before?.minutes ?? 0) * MINUTE)}${index > 1 ? ' more' : ''}`;
  });
  if (later.length === 0) return 'The plan has one step, and is complete with it.';
  const all = later.length === 1 ? later[0]! : `${later.slice(0, -1).join(', ')} and ${later.at(-1)!}`;
  const condition =
    gate === null
      ? '. Nothing stops it but you.'
      : `, unless more than ${percent(gate.share)} of at least ${counted(gate.devices, 'device')} go back: then it is held.`;
  return `Goes on ${all}${condition}`;
}
