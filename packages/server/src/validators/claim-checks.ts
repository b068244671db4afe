import { createHash, randomUUID } from 'node:crypto';
import {
  cutText,
  decide,
  err,
  isValidationType,
  itemIn,
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
import { readClaim } from '@yarnboard/language';
import { exchangeFact } from '../engine/inherited.ts';
import type { Engine } from '../engine/engine.ts';
import { plainKey } from './config-value.ts';
import type { Question } from './check.ts';
import type { Checker } from './checker.ts';
import type { Place } from './job.ts';

export type CheckWish = { readonly sidebar: string; readonly claim: string; readonly words?: string | undefined; readonly isAuto?: boolean };

/** What a check has to say to the board: which claim it was, and what came of it. */
export type ClaimChecked = Pick<CommandOf<'claim.validate'>, 'claim' | 'words' | 'report'>;

export type ClaimChecks = {
  /** Runs the check of a claim for somebody; nothing is looked at before it is certain that they may ask for it. */
  readonly check: (actor: Actor, wish: CheckWish) => Promise<Result<ClaimChecked, Rejection>>;
  /** The sentences of an exchange that a machine can check. */
  readonly checkableIn: (sidebar: Sidebar, exchange: string) => Promise<readonly string[]>;
};

type Options = {
  readonly engine: Pick<Engine, 'board' | 'memory' | 'language'>;
  readonly checker: Checker;
  readonly placeFor: (sidebar: Sidebar) => Promise<Place>;
  readonly now: () => number;
};

export const createClaimChecks = ({ engine, checker, placeFor, now }: Options): ClaimChecks => {
  const saidIn = (sidebar: Sidebar, exchange: string): Promise<ExchangeFact | null> => exchangeFact(engine.memory, engine.board(), sidebar, exchange);

  const sentencesIn = ({ messages }: ExchangeFact): readonly string[] =>
    messages
      .flatMap(({ text }) => engine.language.claimsIn(text.slice(0, MOST_READ)))
      .filter(({ type }) => isValidationType(type))
      .map(({ words }) => words)
      .slice(0, MOST_OF_EXCHANGE);

  /** The words to check: those of a claim, those that were given, or the next of the exchange that nobody has checked. */
  const wordsOf = async (
    sidebar: Sidebar,
    { claim: text, words }: CheckWish,
  ): Promise<{ readonly claim: string; readonly words: string | null; readonly said: ExchangeFact | null }> => {
    const read = parseRef(text);
    const isExchange = read.ok && read.value.kind === 'numbered' && read.value.type === 'EXCH';
    if (!isExchange) return { claim: text, words: itemIn(sidebar.claims, sidebar, 'CLAIM', text)?.words ?? null, said: null };
    const exchange = text.trim().toUpperCase();
    const said = await saidIn(sidebar, exchange);
    if (words !== undefined || said === null) return { claim: exchange, words: words?.trim() ?? null, said };
    const known = new Map(
      sidebar.claims.filter((one) => one.exchange === exchange && one.words !== null).map((one) => [one.words, one.validation?.at ?? 0]),
    );
    const [next] = sentencesIn(said).toSorted((a, b) => (known.get(a) ?? 0) - (known.get(b) ?? 0));
    return { claim: exchange, words: next ?? null, said };
  };

  return {
    checkableIn: async (sidebar, exchange) => {
      const said = await saidIn(sidebar, exchange);
      return said === null ? [] : sentencesIn(said);
    },
    check: async (actor, wish) => {
      const sidebar = sidebarOf(engine.board(), wish.sidebar);
      if (sidebar === null) return err(rejectionOf('unknown-sidebar', { asked: cutText(wish.sidebar, 100) }));
      const { claim, words, said } = await wordsOf(sidebar, wish);
      const read = words === null ? null : readClaim(words);
      const question = read?.kind === 'checkable' && isValidationType(read.type) ? (read.arguments as Question) : null; // its type was looked at
      const isDenied = read?.kind === 'checkable' && read.isDenied;
      const empty: ValidationReport = {
        kind: question?.type ?? 'file_exists',
        isDenied,
        subject: question === null ? '' : subjectOf(question),
        attempts: [],
        files: [],
        duration: 0,
      };
      const asked = { claim, ...(said === null || words === null ? {} : { words }) };
      // VAL-8: whether they may is decided before anything is looked at, by the rules that decide about the result.
      const facts = {
        now: now(),
        actor,
        newId: () => randomUUID(),
        refs: new Map(),
        isInherited: () => false,
        exchange: (_: Sidebar, name: string) => (name === claim ? said : null),
        surfacings: () => [],
        language: engine.language,
      };
      const wanted = decide(
        engine.board(),
        { type: 'claim.validate', sidebar: wish.sidebar, isAuto: wish.isAuto === true, ...asked, report: empty },
        facts,
      );
      if (!wanted.ok) return wanted;
      if (question === null) return err(rejectionOf('not-checkable', { ref: claim, type: null }));
      const began = performance.now();
      const checked = await checker.check(question, await placeFor(sidebar));
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

/** What is asked about, without its value: whoever tries one value after the other asks about the same. */
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

const MOST_READ = 50_000;
const MOST_OF_EXCHANGE = 10;
const MOST_ATTEMPTS = 60;
const MOST_FILES = 20;
