/** Lines that a resource adds to an existing file. */
export interface Change {
  readonly file: string;
  /** The text before which the lines go. */
  readonly before: string;
  readonly lines: string;
}

/** What `notes` adds to existing files; CONTRIBUTING.md shows the same lines. */
export const changes: readonly Change[] = [
  {
    file: 'src/apps/apps.module.ts',
    before: '\n@Module',
    lines: `import { NotesModule } from './notes/notes.module.js';\n`,
  },
  { file: 'src/apps/apps.module.ts', before: 'AppAccessModule]', lines: 'NotesModule, ' },
  {
    file: 'src/common/errors/catalogue/not-found-errors.ts',
    before: '} as const',
    lines: `  note_not_found: {
    status: 404,
    message: 'Note not found.',
    meaning: 'The app has no such note.',
    action: 'Check the id.',
  },
`,
  },
  {
    file: 'src/common/errors/catalogue/conflict-errors.ts',
    before: '} as const',
    lines: `  note_title_taken: {
    status: 409,
    message: 'A note with this title already exists.',
    meaning: 'The app already has a note with this title, ignoring case.',
    action: 'Choose another title.',
  },
`,
  },
  {
    file: 'src/organizations/audit-log/audit-event.entity.ts',
    before: `  'organization',\n`,
    lines: `  'note',\n`,
  },
];
