import { chatEvent } from './chat-event.js';
import type { DeliverableEvent } from './deliverable-event.js';

const colours: Readonly<Record<DeliverableEvent['severity'], string>> = {
  info: 'default',
  warning: 'warning',
  critical: 'attention',
};

/**
 * A message for a workflow of Microsoft Teams ("When a Teams webhook request is received"), and for the older incoming
 * webhooks: an Adaptive Card. Texts are in text runs, which support neither Markdown nor links.
 *
 * @see https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using 28 kB
 * @see https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features
 */
export function teamsMessage(event: DeliverableEvent): object {
  const { title, meaning, appName, facts, userName } = chatEvent(event, withoutFunctions);
  const body = [
    line([{ text: title, weight: 'bolder', size: 'large', color: colours[event.severity] }], 'default'),
    ...(appName === null ? [] : [line([{ text: appName, weight: 'bolder' }], 'none')]),
    ...(meaning === null ? [] : [line([{ text: meaning }])]),
    ...facts.map(({ label, value }) => line([{ text: `${label}: `, isSubtle: true }, { text: value }])),
    ...(userName === null ? [] : [line([{ text: 'By ', isSubtle: true }, { text: userName }])]),
    { type: 'TextBlock', spacing: 'small', size: 'small', isSubtle: true, text: time(event) },
  ];
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          // The first with text runs.
          version: '1.2',
          msteams: { width: 'Full' },
          body,
        },
      },
    ],
  };
}

interface TextRun {
  readonly text: string;
  readonly weight?: string;
  readonly size?: string;
  readonly color?: string;
  readonly isSubtle?: boolean;
}

function line(runs: readonly TextRun[], spacing = 'small'): object {
  return { type: 'RichTextBlock', spacing, inlines: runs.map((run) => ({ type: 'TextRun', ...run })) };
}

/** Two braces would begin a function, such as `{{DATE(…)}}`. */
function withoutFunctions(character: string): string {
  return character === '{' || character === '}' ? `${character}\u200B` : character;
}

/** In the time zone of the reader. */
function time({ createdAt }: DeliverableEvent): string {
  const seconds = `${createdAt.slice(0, 19)}Z`;
  return `{{DATE(${seconds}, SHORT)}} {{TIME(${seconds})}}`;
}
