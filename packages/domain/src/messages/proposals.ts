import * as z from 'zod';
import { assertNever } from '../never.ts';
import { because } from './telling.ts';
import { maybe, priority, text, texts, type Frozen } from './values.ts';

/** PROP-1: the request of somebody who may only ask: the coordinator or the human answers. */
export const proposal = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('fail'), reason: text }),
  z.strictObject({ action: z.literal('archive'), note: maybe, tags: texts }),
  z.strictObject({ action: z.literal('join'), agent: text, reason: maybe }),
  z.strictObject({
    action: z.literal('change'),
    task: text.exactOptional(),
    successCriteria: text.exactOptional(),
    taskType: text.exactOptional(),
    priority: priority.exactOptional(),
  }),
]);
export type Proposal = Frozen<z.output<typeof proposal>>;

/** What a proposal asks of a sidebar, to follow "to". */
export const wishOf = (asked: Proposal, name: string): string => {
  switch (asked.action) {
    case 'fail':
      return `give up ${name}: ${asked.reason}`;
    case 'archive':
      return `archive ${name}${because(asked.note)}`;
    case 'join':
      return `join ${name}${because(asked.reason)}`;
    case 'change':
      return `change ${changesIn(asked).join(', ')} in ${name}`;
    default:
      return assertNever(asked);
  }
};

const changesIn = ({ task, successCriteria, taskType, priority: urgency }: Extract<Proposal, { action: 'change' }>): readonly string[] => [
  ...(task === undefined ? [] : [`the task to "${task}"`]),
  ...(successCriteria === undefined ? [] : [`the success criteria to "${successCriteria}"`]),
  ...(taskType === undefined ? [] : [`the type to ${taskType}`]),
  ...(urgency === undefined ? [] : [`the priority to ${urgency}`]),
];
