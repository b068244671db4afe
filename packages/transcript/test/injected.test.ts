import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actorOf, digestSession, partsOf, readEntry, titleOf, withoutContext, type JsonObject } from '../src/index.ts';
import { brief, END, mapAll } from './mapping.ts';
import { mainOf, prompt } from './reading.ts';

const lines = readFileSync(new URL('../../../fixtures/oddities/injected-words.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const records = lines.map((line) => JSON.parse(line) as JsonObject);
const session = mainOf(...lines);
const CLAUDE = { kind: 'claude', name: 'Claude' } as const;

describe('words nobody typed', () => {
  test('[ENTRY-7] every form has its role and whoever says it, and what it stands before is typed', () => {
    const said = session.main.nodes
      .filter(({ entry }) => entry.type === 'user')
      .map((node) => [node.uuid, node.entry.role, actorOf(session, node, null, CLAUDE).name]);
    expect(said).toEqual([
      ['w1', 'prompt', 'Human'],
      ['i1', 'notice', 'background shell'],
      ['i2', 'meta', 'IDE'],
      ['i3', 'notice', 'hook'],
      ['i4', 'meta', 'hook'],
      ['i5', 'notice', 'system'],
      ['i6', 'notice', 'system'],
      ['i7', 'notice', 'reviewer'],
      ['i8', 'notice', 'system'],
      ['w2', 'prompt', 'Human'],
      ['w3', 'prompt', 'Human'],
      ['w4', 'prompt', 'Human'],
      ['w5', 'prompt', 'Human'],
    ]);
  });

  test('[ENTRY-7] the title is what was typed', () => {
    expect(titleOf(session)).toBe('Add a retry here.');
  });

  test('[ENTRY-7] a picture behind what an editor put in is sent by somebody, and so are the words behind that', () => {
    const editor = { type: 'text', text: '<ide_selection>x</ide_selection>' };
    const picture = { type: 'image', source: {} };
    const read = (...content: readonly object[]): readonly unknown[] => {
      const { role, text } = readEntry({ type: 'user', uuid: 'u', message: { role: 'user', content } } as unknown as JsonObject, {
        line: 1,
        part: 0,
        offset: 0,
        length: 0,
      });
      return [role, text];
    };
    expect([read(editor, picture), read(editor, picture, { type: 'text', text: 'See?' }), read(editor)]).toEqual([
      ['prompt', null],
      ['prompt', 'See?'],
      ['meta', null],
    ]);
  });

  test('[ENTRY-8] an unknown form is counted under its tag', () => {
    expect([...digestSession(session).across.unknownForms]).toEqual([['brand-new-form', 1]]);
  });

  test('[ENTRY-7] in a conversation of a team the message of the lead is what was asked', () => {
    const asked = prompt('u', null, '<teammate-message teammate_id="team-lead">Review it.</teammate-message>', { isSidechain: true });
    const { role, text } = readEntry(asked as JsonObject, { line: 1, part: 0, offset: 0, length: 0 });
    expect({ role, text }).toEqual({ role: 'prompt', text: 'Review it.' });
  });

  test('[SHOW-10] context stands apart from the words behind it, and is shown where there are none', () => {
    const partsIn = (uuid: string): readonly (readonly string[])[] =>
      partsOf(records.find((record) => record['uuid'] === uuid) ?? {}).map((part) => [
        part.kind,
        'text' in part ? part.text : 'type' in part ? part.type : '',
      ]);
    expect(partsIn('w1')).toEqual([
      ['other', 'ide_opened_file'],
      ['text', 'Add a retry here.'],
    ]);
    expect(partsIn('w3')).toEqual([
      ['other', 'system-reminder'],
      ['text', 'Is it done?'],
    ]);
    expect(partsIn('i4')).toEqual([['text', '<session-start-hook>Answer in English.</session-start-hook>']]);
  });

  test('[ENV-54] only what was typed is reported as the text of a user', () => {
    const told = brief(mapAll([...records, END]).envelopes);
    expect(told.filter((line) => line.startsWith('user'))).toEqual([
      'user text: Add a retry here.',
      'user text: <div>Why is this not centred?</div>',
      'user text: Is it done?',
      'user text: <brand-new-form>typed by hand</brand-new-form>',
      'user text: Tell me what <goal> means.',
    ]);
    expect(told.filter((line) => line.includes('service notice'))).toHaveLength(6);
  });

  test('[ENTRY-7] whatever a text begins with, its words are an end of it', () => {
    const piece = fc.constantFrom('<ide_selection>', '</ide_selection>', '<system-reminder>', '</system-reminder>', ' ', '\n', 'words', '<', '<b>');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(text.endsWith(withoutContext(text).words)).toBe(true);
      }),
    );
  });
});
