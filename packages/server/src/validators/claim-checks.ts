import { createHash, randomUUID } from 'node:crypto';
import {
  cutText,
  decide,
  err,
  findingOf,
  isValidationType,
  itemIn,
  MOST_CHECKS_AN_HOUR,
  ok,
  parseRef,
  rejectionOf,
  sidebarOf,
  type Actor,
  type CommandOf,
  type ExchangeFact,
  type Rejection,
  type Result,
  type Sidebar,
  type ValidationReport,
} from '@yarnboard/domain';
import { readClaim, readCore } from '@yarnboard/language';
import { exchangeFact } from '../engine/inherited.ts';
import type { Engine } from '../engine/engine.ts';
import { plainKey } from './config-value.ts';
import type { Checked, Question } from './check.ts';
import type { Checker } from './checker.ts';
import type { Place } from './job.ts';
import { callsAround } from './tool-calls.ts';

export type CheckWish = {
  readonly sidebar: string;
  readonly claim: string;
  readonly words?: string | undefined;
  /** VAL-32: check the core of a hedged sentence. */
  readonly isCore?: boolean | undefined;
  readonly isAuto?: boolean;
};

/** The result of a check, as the board needs it: which claim, and what came of it. */
export type ClaimChecked = Pick<CommandOf<'claim.validate'>, 'claim' | 'words' | 'isCore' | 'report'>;

export type ClaimChecks = {
  /** Checks a claim for an actor. Looks at nothing before it is certain that the actor may ask. */
  readonly check: (actor: Actor, wish: CheckWish) => Promise<Result<ClaimChecked, Rejection>>;
  /** VAL-33: stops the checks of actors who may no longer ask, and drops their results. */
  readonly reconsider: () => void;
  /** The sentences of an exchange that a machine can check. */
  readonly checkableIn: (sidebar: Sidebar, exchange: string) => Promise<readonly string[]>;
};

type Options = {
  readonly engine: Pick<Engine, 'board' | 'memory' | 'language'>;
  readonly checker: Checker;
  readonly placeFor: (sidebar: Sidebar) => Promise<Place>;
  readonly now: () => number;
};

/** The claim to check: its name, its words, the exchange around them and the message they are in. */
type Wanted = {
  readonly claim: string;
  readonly words: string | null;
  readonly said: ExchangeFact | null;
  readonly message: string | null;
  readonly isFinding?: boolean;
};

export const createClaimChecks = ({ engine, checker, placeFor, now }: Options): ClaimChecks => {
  const saidIn = (sidebar: Sidebar, exchange: string): Promise<ExchangeFact | null> => exchangeFact(engine.memory, engine.board(), sidebar, exchange);

  const sentencesIn = ({ messages }: ExchangeFact): readonly string[] =>
    messages
      .flatMap(({ text }) => engine.language.claimsIn(text.slice(0, MOST_READ)))
      .filter(({ type }) => isValidationType(type))
      .map(({ words }) => words)
      .slice(0, MOST_OF_EXCHANGE);

  /** Finds the words to check: those of the claim, those given by the caller, or the exchange's next unchecked sentence. */
  const wordsOf = async (sidebar: Sidebar, { claim: text, words }: CheckWish): Promise<Wanted> => {
    const read = parseRef(text);
    const isExchange = read.ok && read.value.kind === 'numbered' && read.value.type === 'EXCH';
    const finding = FINDING.test(text) ? findingOf(sidebar.scratchpad, text) : null;
    if (finding !== null) {
      const checkable = engine.language.claimsIn(finding.content.slice(0, MOST_READ)).filter(({ type }) => isValidationType(type));
      const next = checkable.find((one) => one.words !== finding.machineCheck?.words) ?? checkable[0];
      return { claim: text, words: words?.trim() ?? next?.words ?? null, said: null, message: null, isFinding: true };
    }
    if (!isExchange) {
      const known = itemIn(sidebar.claims, sidebar, 'CLAIM', text);
      return { claim: text, words: known?.words ?? null, said: null, message: known?.messages[0] ?? null };
    }
    const exchange = text.trim().toUpperCase();
    const said = await saidIn(sidebar, exchange);
    const place = (wanted: string | null): Wanted => {
      const message = wanted === null ? undefined : said?.messages.find((one) => one.text.includes(wanted));
      return { claim: exchange, words: wanted, said, message: message?.ref ?? null };
    };
    if (words !== undefined || said === null) return place(words?.trim() ?? null);
    const known = new Map(
      sidebar.claims.filter((one) => one.exchange === exchange && one.words !== null).map((one) => [one.words, one.validation?.at ?? 0]),
    );
    const [next] = sentencesIn(said).toSorted((a, b) => (known.get(a) ?? 0) - (known.get(b) ?? 0));
    return place(next ?? null);
  };

  /** VAL-29: past actions are looked up on the log. No other check may see the log. */
  const placeOfCheck = async (sidebar: Sidebar, question: Question, message: string | null): Promise<Place> => {
    const place = await placeFor(sidebar);
    if (question.type !== 'did_it' || message === null) return place;
    return { ...place, calls: await callsAround(engine.memory.log, engine.board(), message) };
  };

  /** When each agent's checks began. A refused command leaves no result, but its check kept the checker busy all the same. */
  const begun = new Map<string, readonly number[]>();
  const beginsFor = (agent: string): boolean => {
    const at = now();
    const lately = (begun.get(agent) ?? []).filter((then) => at - then < HOUR);
    const mayBegin = lately.length < MOST_CHECKS_AN_HOUR;
    begun.set(agent, mayBegin ? [...lately, at] : lately);
    return mayBegin;
  };

  /** The checks in progress. */
  const running = new Set<{ readonly actor: Actor; readonly mayGoOn: () => boolean; readonly stop: AbortController }>();

  return {
    reconsider: () => {
      for (const { mayGoOn, stop } of running) if (!mayGoOn()) stop.abort();
    },
    checkableIn: async (sidebar, exchange) => {
      const said = await saidIn(sidebar, exchange);
      return said === null ? [] : sentencesIn(said);
    },
    check: async (actor, wish) => {
      const sidebar = sidebarOf(engine.board(), wish.sidebar);
      if (sidebar === null) return err(rejectionOf('unknown-sidebar', { asked: cutText(wish.sidebar, 100) }));
      const { claim, words, said, message, isFinding = false } = await wordsOf(sidebar, wish);
      const isCore = wish.isCore === true && wish.isAuto !== true;
      const read = words === null ? null : isCore ? (readCore(words) ?? readClaim(words)) : readClaim(words);
      const question = read?.kind === 'checkable' && isValidationType(read.type) ? read.arguments : null;
      const isDenied = read?.kind === 'checkable' && read.isDenied;
      const empty: ValidationReport = {
        kind: question?.type ?? 'file_exists',
        isDenied,
        subject: question === null ? '' : subjectOf(question),
        attempts: [],
        files: [],
        duration: 0,
      };
      const asked = { claim, ...((said === null && !isFinding) || words === null ? {} : { words }), ...(isCore ? { isCore } : {}) };
      // VAL-8: permission is decided before anything is looked at, by the same rules that later decide about the result.
      const factsNow = () => ({
        now: now(),
        actor,
        newId: () => randomUUID(),
        refs: new Map(),
        isInherited: () => false,
        exchange: (_: Sidebar, name: string) => (name === claim ? said : null),
        surfacings: () => [],
        language: engine.language,
      });
      const command = { type: 'claim.validate', sidebar: wish.sidebar, isAuto: wish.isAuto === true, ...asked, report: empty } as const;
      const ask = (): Result<unknown, Rejection> => decide(engine.board(), command, factsNow());
      const wanted = ask();
      if (!wanted.ok) return wanted;
      if (question === null) return err(rejectionOf('not-checkable', { ref: claim, type: null }));
      // VAL-8: otherwise an agent could start many at once, before any of them counts.
      if (actor.type === 'agent' && [...running].some((one) => one.actor.id === actor.id))
        return err(rejectionOf('too-many-checks', { most: 1, of: 'once' }));
      if (actor.type === 'agent' && !beginsFor(actor.id)) return err(rejectionOf('too-many-checks', { most: MOST_CHECKS_AN_HOUR, of: 'hour' }));
      const mine = { actor, mayGoOn: () => ask().ok, stop: new AbortController() };
      running.add(mine);
      const began = performance.now();
      let checked: readonly Checked[];
      try {
        const lane = wish.isAuto === true ? 'nobody' : actor.type === 'agent' ? 'agent' : 'person';
        checked = await checker.check(question, await placeOfCheck(sidebar, question, message), mine.stop.signal, lane);
      } finally {
        running.delete(mine);
      }
      // VAL-33: a stopped check has no result.
      const still = ask();
      if (!still.ok) return still;
      const duration = Math.round(performance.now() - began);
      const files = new Map(checked.flatMap((one) => one.files.map((file) => [file.path, file])));
      const report = {
        ...empty,
        attempts: checked.map(({ attempt }) => attempt).slice(0, MOST_ATTEMPTS),
        files: [...files.values()].slice(0, MOST_FILES),
        duration,
      };
      return ok({ ...asked, report });
    },
  };
};

/** Identifies the subject without its value: trying one value after another is asking about the same subject. */
const subjectOf = (question: Question): string => {
  const about =
    question.type === 'config_value'
      ? [plainKey(question.key)]
      : question.type === 'current_state' || question.type === 'version_check'
        ? [question.name.toLowerCase()]
        : [JSON.stringify(question)];
  return createHash('sha256')
    .update(JSON.stringify([question.type, ...about]))
    .digest('hex')
    .slice(0, 32);
};

const HOUR = 3_600_000;
const FINDING = /FINDING-/iu;
const MOST_READ = 50_000;
const MOST_OF_EXCHANGE = 10;
const MOST_ATTEMPTS = 60;
const MOST_FILES = 20;
