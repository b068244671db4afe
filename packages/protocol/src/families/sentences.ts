import { AGENT_SENTENCES } from './agents.ts';
import { CITATION_SENTENCES } from './citations.ts';
import type { Sentence } from './definition.ts';
import { isEventName, type EventName } from './event-names.ts';
import { after, textOf } from './field-texts.ts';
import { AUTO_MERGE_SENTENCES } from './auto-merge.ts';
import { LABEL_SENTENCES } from './labels.ts';
import { MARK_SENTENCES } from './marks.ts';
import { VALIDATION_SENTENCES } from './validation.ts';
import { MEMORY_SENTENCES } from './memory.ts';
import { MERGING_SENTENCES } from './merging.ts';
import { PERMISSION_SENTENCES } from './permissions.ts';
import { RECRUITING_SENTENCES } from './recruiting.ts';
import { RUNTIME_SENTENCES } from './runtimes.ts';
import { SCRATCHPAD_SENTENCES } from './scratchpad.ts';
import { SIDEBAR_SENTENCES } from './sidebar.ts';
import { SPAWNING_SENTENCES } from './spawning.ts';
import { TALK_SENTENCES } from './talk.ts';

/** An event as a sentence. An event this version has no words for is given by its name and references. */
export const sentenceOf = (event: Readonly<Record<string, unknown>>): string => {
  const { type } = event;
  return isEventName(type) ? SENTENCES[type]((field) => textOf(event[field]), event) : otherwise(event);
};

const otherwise = (event: Readonly<Record<string, unknown>>): string => {
  const [type = '', about, by = '', refs = ''] = [event['type'], event['context_id'], event['sender_agent_id'], event['refs']].map(textOf);
  return `${about === '' ? 'board' : about}: ${type.replaceAll('_', ' ')}${after(' ', refs)}${after(' by ', by)}`;
};

const SENTENCES: Readonly<Record<EventName, Sentence>> = {
  ...SPAWNING_SENTENCES,
  ...SIDEBAR_SENTENCES,
  ...MERGING_SENTENCES,
  ...TALK_SENTENCES,
  ...SCRATCHPAD_SENTENCES,
  ...MEMORY_SENTENCES,
  ...CITATION_SENTENCES,
  ...MARK_SENTENCES,
  ...AUTO_MERGE_SENTENCES,
  ...VALIDATION_SENTENCES,
  ...AGENT_SENTENCES,
  ...RECRUITING_SENTENCES,
  ...RUNTIME_SENTENCES,
  ...PERMISSION_SENTENCES,
  ...LABEL_SENTENCES,
};
