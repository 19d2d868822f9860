import fc from 'fast-check';
import { anyEvent } from '../../../test/support/notifications/any-event.js';
import { deliverableEvent } from '../../../test/support/notifications/deliverable-event.js';
import { bodyOf } from './body-of.js';
import type { DeliverableEvent } from './deliverable-event.js';

interface Teams {
  readonly attachments: readonly {
    readonly content: { readonly body: readonly (TeamsText & { readonly inlines?: readonly TeamsText[] })[] };
  }[];
}
interface TeamsText {
  readonly type: string;
  readonly text?: string;
}

const teams = (event: DeliverableEvent): Teams => JSON.parse(bodyOf('teams', event)) as Teams;

const teamsTexts = ({ attachments: [card] }: Teams): TeamsText[] =>
  (card?.content.body ?? []).flatMap((block) => block.inlines ?? [block]);

describe('a message for Microsoft Teams', () => {
  it('says what happened where, the facts, who did it and when', () => {
    const message = teams(deliverableEvent);
    expect(message).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: { type: 'AdaptiveCard', version: '1.2' },
        },
      ],
    });
    expect(teamsTexts(message).map((shown) => shown.text)).toEqual([
      'Channel paused',
      'Coffee',
      'Channel: ',
      'production',
      'By ',
      'Ada',
      '{{DATE(2026-01-02T03:04:05Z, SHORT)}} {{TIME(2026-01-02T03:04:05Z)}}',
    ]);
  });

  it('keeps to 28 kB, and puts what users wrote where nothing is formatted', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        expect(Buffer.byteLength(bodyOf('teams', event))).toBeLessThanOrEqual(28_000);
        const [time, ...rest] = teamsTexts(teams(event)).reverse();
        expect(time?.type).toBe('TextBlock');
        for (const shown of rest) {
          expect(shown.type).toBe('TextRun');
          expect(shown.text).toMatch(/^[^\n]+$/);
          expect(shown.text).not.toContain('{{');
        }
      }),
    );
  });
});
