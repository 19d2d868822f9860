import fc from 'fast-check';
import { anyEvent } from '../../../test/support/notifications/any-event.js';
import { deliverableEvent } from '../../../test/support/notifications/deliverable-event.js';
import { bodyOf } from './body-of.js';
import type { DeliverableEvent } from './deliverable-event.js';

interface Slack {
  readonly text: string;
  readonly mrkdwn: boolean;
  readonly blocks: readonly {
    readonly type: string;
    readonly text?: SlackText;
    readonly fields?: readonly SlackText[];
    readonly elements?: readonly SlackText[];
  }[];
}
interface SlackText {
  readonly type: string;
  readonly text: string;
}
const slack = (event: DeliverableEvent): Slack => JSON.parse(bodyOf('slack', event)) as Slack;
const slackTexts = ({ blocks }: Slack): SlackText[] =>
  blocks.flatMap(({ text, fields = [], elements = [] }) => [...(text ? [text] : []), ...fields, ...elements]);
describe('a message for Slack', () => {
  it('says what happened where, the facts, who did it and when', () => {
    const message = slack({
      ...deliverableEvent,
      severity: 'warning',
      facts: { Channel: 'production', Reason: null },
    });
    expect(message.text).toBe('⚠️ Channel paused: Coffee\nChannel: production');
    expect(slackTexts(message).map((shown) => shown.text)).toEqual([
      '⚠️ Channel paused: Coffee',
      'A channel was paused: its devices keep what they have.',
      'Channel: production',
      'By Ada',
      '<!date^1767323045^{date_short_pretty} at {time}|2026-01-02 03:04 UTC>',
    ]);
  });

  it('shows a branch named <!channel> without a mention', () => {
    const message = slack({ ...deliverableEvent, facts: { Branch: '<!channel>' } });
    expect(message.blocks[1]?.fields?.[0]).toEqual({
      type: 'plain_text',
      text: 'Branch: &lt;!channel&gt;',
      emoji: false,
    });
    expect(message.text).toContain('Branch: &lt;!channel&gt;');
  });

  it('keeps to the limits, and formats and mentions nothing that users wrote', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const message = slack(event);
        expect(message.mrkdwn).toBe(false);
        expect(message.text).toMatch(/^[^<>]{1,40000}$/);
        expect(message.text).not.toMatch(/@\w/);
        expect(message.blocks.length).toBeLessThanOrEqual(50);
        for (const { type, text: ofBlock, fields = [] } of message.blocks) {
          expect(ofBlock?.text.length ?? 1).toBeLessThanOrEqual(type === 'header' ? 150 : 3_000);
          expect(fields.length).toBeLessThanOrEqual(10);
          for (const field of fields) expect(field.text.length).toBeLessThanOrEqual(2_000);
        }
        const [time, ...rest] = slackTexts(message).reverse();
        expect(time?.text).toMatch(/^<!date\^[^<>]*>$/);
        for (const shown of rest) {
          expect(shown.type).toBe('plain_text');
          expect(shown.text).toMatch(/^(?:[^<>&\n]|&(?:amp|lt|gt);)+$/);
        }
      }),
    );
  });
});
