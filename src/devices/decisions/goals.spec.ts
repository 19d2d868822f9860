import fc from 'fast-check';
import {
  anyCheck,
  anyTable as anyReleases,
  clock,
  NOW,
} from '../../../test/support/live-updates/random-releases.js';
import {
  bundleIdOf,
  CHECK,
  deploymentOf,
  tableOf,
} from '../../../test/support/update-checks/decision-cases.js';
import { decideForDevice, type DeviceCheck } from '../channel-decision/device-decision.js';
import type { GeneratedZip, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';
import { NO_ROLLBACKS, RollbackCounts } from '../releases/rollback-counts.js';
import { type Goal, goalsOf } from './goals.js';
import type { RemedyDto } from './remedy.dto.js';

/** With a bundle signed, a device that runs an unknown one may need another remedy. */
const anyTable = anyReleases.map((table) => ({ ...table, knownBundles: null }));

const LATER = new Date(NOW.getTime() + 1);

/** Carries a remedy out. Versions are made to fit by dropping the constraint, since several may contradict each other. */
function carryOut(
  table: ReleaseTable,
  { channel, deployment }: Goal,
  { remedy, required }: RemedyDto,
): ReleaseTable {
  const change = (release: ReleaseDeployment): ReleaseDeployment => {
    const { bundle, constraints } = release;
    const without = (name: 'min' | 'max' | 'eq'): ReleaseDeployment => {
      const { android, ios, electron } = constraints;
      const dropped = { [name]: null };
      return {
        ...release,
        constraints: {
          android: { ...android, ...dropped },
          ios: { ...ios, ...dropped },
          electron: { ...electron, ...dropped },
        },
      };
    };
    switch (remedy) {
      case 'deploy':
        return { ...release, sequence: Infinity };
      case 'publish-bundle':
        return { ...release, bundle: { ...bundle, status: 'ready' } };
      case 'approve-deployment':
        return { ...release, approvalStatus: 'approved' };
      case 'raise-rollout':
        return { ...release, rolloutPercentage: required as number };
      case 'raise-native-version':
        return without('min');
      case 'lower-native-version':
        return without('max');
      case 'change-native-version':
        return without('eq');
      case 'sign-bundle':
        return { ...release, bundle: { ...bundle, signed: true } };
      case 'extend-bundle':
        return { ...release, bundle: { ...bundle, expiresAt: LATER } };
      case 'change-files':
        return { ...release, bundle: { ...bundle, unsafeReuses: new Map() } };
      case 'register-checksum':
        return { ...release, bundle: { ...bundle, checksum: 'a'.repeat(64) } };
      case 'repair-bundle':
        return { ...release, bundle: { ...bundle, damaged: false } };
      case 'support-type':
        return { ...release, bundle: { ...bundle, artifactType: 'zip', hasEmptyFiles: false } };
      default:
        return release;
    }
  };
  const rollbacks = Object.assign(new RollbackCounts(), {
    of: (...[deviceId, bundleId, version]: Parameters<RollbackCounts['of']>) =>
      bundleId === deployment?.bundle.id
        ? { consecutive: 0, all: 0 }
        : table.rollbacks.of(deviceId, bundleId, version),
  });
  return {
    ...table,
    rollbacks: remedy === 'offer-again' ? rollbacks : table.rollbacks,
    forcedChannelIds: remedy === 'unforce-channel' ? new Map() : table.forcedChannelIds,
    channels: table.channels.map((each) =>
      each.id === channel?.id
        ? {
            ...each,
            pausedAt: remedy === 'resume-channel' ? null : each.pausedAt,
            expiresAt: remedy === 'extend-channel' ? LATER : each.expiresAt,
            deployments: each.deployments.map((release) =>
              release.id === deployment?.id ? change(release) : release,
            ),
          }
        : each,
    ),
  };
}

function servedAfter(table: ReleaseTable, check: DeviceCheck, goal: Goal, remedies: readonly RemedyDto[]) {
  const changed = remedies.reduce((releases, remedy) => carryOut(releases, goal, remedy), table);
  return decideForDevice(changed, check, clock).deployment?.id;
}

describe('remedies', () => {
  const always = (holds: (table: ReleaseTable, check: DeviceCheck, goal: Goal) => void): void =>
    fc.assert(
      fc.property(anyTable, anyCheck, (table, check) => {
        for (const goal of goalsOf(table, check, NOW)) holds(table, check, goal);
      }),
      { numRuns: 500 },
    );

  it('bring the device the newest deployment, when all are carried out', () => {
    always((table, check, goal) => {
      if (goal.deployment === null) return;
      expect(servedAfter(table, check, goal, goal.remedies)).toBe(goal.deployment.id);
    });
  });

  it('are all needed', () => {
    always((table, check, goal) => {
      if (goal.deployment === null) return;
      for (const left of goal.remedies) {
        const others = goal.remedies.filter((remedy) => remedy !== left);
        expect(servedAfter(table, check, goal, others)).not.toBe(goal.deployment.id);
      }
    });
  });

  it('are none exactly when the device gets the newest deployment of its channel', () => {
    fc.assert(
      fc.property(anyTable, anyCheck, (table, check) => {
        const [goal] = goalsOf(table, check, NOW);
        const { deployment } = decideForDevice(table, check, clock);
        expect(goal!.remedies.length === 0).toBe(
          deployment !== null && deployment.id === goal!.deployment?.id,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('name an unsafe reuse beside empty files, as long as there is no zip that reuses nothing', () => {
    const running = bundleIdOf(2);
    const bundle = {
      artifactType: 'manifest',
      hasEmptyFiles: true,
      unsafeReuses: new Map([[running, 'content' as const]]),
    } as const;
    const check = { ...CHECK, platform: 'ios', pluginVersion: '7.2.1', bundleId: running } as const;
    const remediesOf = (generatedZip: GeneratedZip | null): string[] => {
      const deployments = [deploymentOf(1, { bundle: { ...bundle, generatedZip } }), deploymentOf(2)];
      const [goal] = goalsOf(tableOf(deployments, NO_ROLLBACKS), check, NOW);
      return goal!.remedies.map(({ remedy }) => remedy);
    };
    expect(remediesOf(null)).toEqual(['support-type', 'change-files']);
    expect(remediesOf({ checksum: 'a'.repeat(64), smallerThan: { br: false, gzip: false } })).toEqual([]);
  });

  it('are sentences', () => {
    always((_table, _check, { remedies }) => {
      for (const { message } of remedies) expect(message).toMatch(/^[A-Z][^\n]+[^.]\.$/);
    });
  });
});
