import { chatEvent } from './chat-event.js';
import type { DeliverableEvent } from './deliverable-event.js';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * A message for an incoming webhook of Slack. Texts of users appear in `plain_text` only, where nothing is formatted,
 * and without the characters that begin mentions and links.
 *
 * @see https://api.slack.com/reference/surfaces/formatting#escaping
 * @see https://api.slack.com/reference/block-kit/blocks 50 blocks, headers of 150 characters, 10 fields of 2,000
 */
export function slackMessage(event: DeliverableEvent): object {
  const { title, meaning, appName, facts, userName } = chatEvent(
    event,
    (character) => entities[character] ?? character,
  );
  const heading = appName === null ? title : `${title}: ${appName}`;
  const fields = facts.map(({ label, value }) => `${label}: ${value}`);
  return {
    // What notifications show, and receivers that know no blocks.
    text: withoutMentions([heading, ...fields].join('\n')),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(heading) },
      ...(meaning === null ? [] : [{ type: 'section', text: plain(meaning) }]),
      ...(fields.length === 0 ? [] : [{ type: 'section', fields: fields.map(plain) }]),
      { type: 'context', elements: [...(userName === null ? [] : [plain(`By ${userName}`)]), time(event)] },
    ],
  };
}

function plain(text: string): object {
  return { type: 'plain_text', text, emoji: false };
}

/** Mattermost and others, which take Slack's messages, mention everyone at `@channel`. */
function withoutMentions(text: string): string {
  return text.replaceAll('@', '@\u200B');
}

/** In the time zone of the reader. */
function time({ createdAt }: DeliverableEvent): object {
  const seconds = Math.floor(Date.parse(createdAt) / 1000);
  const fallback = `${createdAt.slice(0, 16).replace('T', ' ')} UTC`;
  return { type: 'mrkdwn', text: `<!date^${seconds}^{date_short_pretty} at {time}|${fallback}>` };
}
