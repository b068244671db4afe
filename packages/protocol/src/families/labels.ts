import * as z from 'zod';
import { sessionId } from '../parameters.ts';
import * as wire from '../wire/sidebars.ts';
import type { CodecsOf, NamesOf, OperationsOf, SentencesOf, TellersOf } from './definition.ts';
import { after } from './field-texts.ts';
import { command, tags } from './parameters.ts';

/** Pins, names, notes and tags of sessions. */
export const LABEL_OPERATIONS = {
  session_label: {
    name: 'session_label',
    method: 'POST',
    path: '/sessions/{id}/labels',
    who: 'operator',
    help: 'Pins, renames, tags, hides or notes something about a session. What you leave out stays as it is; the transcript is not touched.',
    input: z.object({
      ...command,
      id: sessionId,
      pinned: z.boolean().optional().describe('true: listed first'),
      hidden: z.boolean().optional().describe('true: left out of lists, unless they are asked for it'),
      name: z.string().nullable().optional().describe('instead of its title; empty: the title of the transcript again'),
      note: z.string().nullable().optional().describe('a note of yours; empty: none'),
      tags,
    }),
    output: wire.done,
    terminal: { words: ['session', 'label'], given: ['id'] },
    command: 'session.label',
    kept: { what: 'a change of a session’s name, note, tags or place in lists', text: 'note' },
  },
} as const satisfies OperationsOf<'labels'>;

export const LABEL_CODECS: CodecsOf<typeof LABEL_OPERATIONS> = {
  session_label: async (input, given) => ({
    session: await given.sessionFor(input.id),
    isPinned: input.pinned,
    isHidden: input.hidden,
    name: input.name,
    note: input.note,
    tags: input.tags,
  }),
};

export const LABEL_EVENT_NAMES = {
  'session.labelled': ['session_labelled'],
} as const satisfies NamesOf<'labels'>;

export const LABEL_TELLERS: TellersOf<typeof LABEL_EVENT_NAMES> = {
  'session.labelled': ({ sessionId: id, isPinned, isHidden, name, note, tags: words }) => ({
    type: 'session_labelled',
    session_id: id,
    ...(isPinned === undefined ? {} : { pinned: isPinned }),
    ...(isHidden === undefined ? {} : { hidden: isHidden }),
    ...(name === undefined ? {} : { name }),
    ...(note === undefined ? {} : { note }),
    ...(words === undefined ? {} : { tags: words }),
  }),
};

export const LABEL_SENTENCES: SentencesOf<typeof LABEL_EVENT_NAMES> = {
  session_labelled: (of, event) =>
    [
      `session ${of('session_id').slice(0, 8)}`,
      ...('pinned' in event ? [of('pinned') === 'true' ? 'pinned' : 'unpinned'] : []),
      ...('hidden' in event ? [of('hidden') === 'true' ? 'hidden' : 'listed again'] : []),
      ...('name' in event ? [of('name') === '' ? 'has its own title again' : `named “${of('name')}”`] : []),
      ...('tags' in event ? [`tags${after(': ', of('tags'))}`] : []),
      ...('note' in event ? [`note${after(': ', of('note'))}`] : []),
    ].join(', '),
};
