import { contextIdOfSidebar, evolve, tryOn, type Board, type Command, type Facts, type Happening } from '@yarnboard/domain';
import { createTriggerIndex } from '@yarnboard/language';
import { WrongResult } from '../measure/run.ts';
import { createRandom } from '../tree/random.ts';
import { sayIn } from './boards.ts';
import { CHARACTERS } from './commands.ts';
import type { DecidingOrder, DecidingResult, Pair } from './job.ts';
import { apply, boardWith, createLedger, SPAWN } from './ledger.ts';
import { createTalk, type Talk } from './talk.ts';

/** Deciding and folding without a log: what the domain itself costs. */
export const measureDeciding = ({ seed }: DecidingOrder): DecidingResult => {
  const random = createRandom(seed);
  const talk = createTalk(random);
  const [few, many] = [boardWith(FEW), boardWith(MANY_SIDEBARS)];
  const says = Array.from({ length: COMMANDS }, (_, i) => sayIn(`SB-${(i % FEW) + 1}`, talk.message(CHARACTERS)));
  const spawns = Array.from({ length: COMMANDS }, (): Command => SPAWN);
  const compare = (what: string, commands: readonly Command[]): Pair => ({
    what,
    few: FEW,
    many: MANY_SIDEBARS,
    ...bestOf(
      ROUNDS,
      () => timeCommands(few, commands),
      () => timeCommands(many, commands),
    ),
  });
  const texts = Array.from({ length: COMMANDS }, () => talk.message(CHARACTERS));
  const bareCount = bestOf(
    ROUNDS,
    () => timeEach(texts, countWords),
    () => 0,
  ).small;
  return {
    commands: [compare('chat_message', says), compare('sidebar_spawn', spawns)],
    conflicts: measureConflicts(talk),
    matches: measureMatches(talk, texts),
    bareCount,
    characters: CHARACTERS,
  };
};

/** Microseconds for a finding among others that it has to be compared with. */
const measureConflicts = (talk: Talk): Pair & { readonly first: number } => {
  const [few, many] = [boardOfFindings(talk, FEW), boardOfFindings(talk, MANY_FINDINGS)];
  const asked = Array.from({ length: SUBMITTED }, () => submit(talk.finding()));
  // Each on a layer of its own, so that there are as many others for the last as for the first.
  const time = (board: Board, commands: readonly Command[]): number => timeEach(commands, (command) => apply(tryOn(board), command, createLedger()));
  const warm = bestOf(
    4,
    () => time(few, asked),
    () => time(many, asked),
  );
  // As after a start: nothing of what was found before has been looked at.
  const first = time(boardOfFindings(talk, MANY_FINDINGS), asked.slice(0, 1));
  return { what: 'finding_submit', few: FEW, many: MANY_FINDINGS, ...warm, first };
};

const boardOfFindings = (talk: Talk, count: number): Board => {
  const board = boardWith(1);
  const id = board.ids.get('SB-1') ?? '';
  const { record, facts } = createLedger();
  // Not decided: comparing each with all before it would take longer than everything that is measured.
  for (let number = 1; number <= count; number += 1) evolve(board, record(foundBefore(facts, contextIdOfSidebar(id), number, talk.finding())));
  const kept = board.sidebars.get(id)?.scratchpad.findings.length;
  if (kept !== count) throw new WrongResult(`${kept} findings instead of ${count}`);
  return board;
};

const foundBefore = ({ newId, actor }: Facts, contextId: string, number: number, content: string): Happening => ({
  type: 'finding.submitted',
  uuid: newId(),
  contextId,
  numbers: ['FRAG'],
  payload: { number, content, sourceRefs: [], relevanceToTask: null, supersedes: null },
  by: actor,
});

const measureMatches = (talk: Talk, texts: readonly string[]): Pair => {
  const [few, many] = [createTriggerIndex(), createTriggerIndex()];
  for (let i = 0; i < FEW; i += 1) few.add({ id: `gold-${i}`, ...talk.gold() });
  for (let i = 0; i < MANY_GOLDS; i += 1) many.add({ id: `gold-${i}`, ...talk.gold() });
  const { small, large } = bestOf(
    ROUNDS,
    () => timeEach(texts, few.match),
    () => timeEach(texts, many.match),
  );
  return { what: 'GOLD match', few: FEW, many: MANY_GOLDS, small, large };
};

/** The floor: whoever looks for symptoms in a text has to look at its words. */
const countWords = (text: string): number => {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts.size;
};

// They take turns; the best round of each counts.
const bestOf = (rounds: number, small: () => number, large: () => number): { readonly small: number; readonly large: number } => {
  const best = { small: Infinity, large: Infinity };
  for (let round = 0; round < rounds; round += 1) {
    best.small = Math.min(best.small, small());
    best.large = Math.min(best.large, large());
  }
  return best;
};

const timeEach = <T>(items: readonly T[], work: (item: T) => unknown): number => {
  const startedAt = performance.now();
  for (const item of items) work(item);
  return ((performance.now() - startedAt) / items.length) * 1000;
};

/** On one layer, as a batch of the engine is decided; the board underneath stays as large as it is. */
const timeCommands = (board: Board, commands: readonly Command[]): number => {
  const layer = tryOn(board);
  const ledger = createLedger();
  return timeEach(commands, (command) => apply(layer, command, ledger));
};

const submit = (content: string): Command => ({ type: 'finding.submit', sidebar: 'SB-1', content });

const FEW = 10;
const MANY_SIDEBARS = 10_000;
/** One less than a sidebar takes. */
const MANY_FINDINGS = 999;
const MANY_GOLDS = 10_000;
const COMMANDS = 1000;
const SUBMITTED = 5;
const ROUNDS = 8;
