import type { Saying, SeenFile, ValidationEnvironment } from '@yarnboard/domain';
import type { ClaimArguments } from '@yarnboard/language';
import type { DeclaredService } from '@yarnboard/protocol';
import type { Programs } from './programs.ts';
import type { Reach } from './reach.ts';
import type { SessionCalls } from './tool-calls.ts';

/** The result of one method. */
export type Answer = {
  readonly says: Saying;
  readonly isDecisive?: boolean;
  readonly evidence?: string;
  /** Why it says nothing. */
  readonly fault?: string;
  readonly foundAt?: readonly string[];
  readonly files?: readonly SeenFile[];
  /** Where it looked, if not in the method's usual environment. */
  readonly environment?: ValidationEnvironment;
};

/** What a method may use: files in reach, programs of the machine, declared services. */
export type Surroundings = {
  readonly reach: Reach;
  readonly programs: Programs;
  readonly services: readonly DeclaredService[];
  readonly mayAskContainers: boolean;
  /** Processes that belong to the check itself. */
  readonly ownPids: ReadonlySet<number>;
  /** The calls of the session in which the claim was made; null if the session is unknown or the check doesn't need them. */
  readonly calls: SessionCalls | null;
  readonly signal: AbortSignal;
};

/** One way to check a claim. It does not throw because of what it finds: that is an answer, too. */
export type Method<A> = {
  readonly name: string;
  readonly environment: ValidationEnvironment;
  /** Why it cannot work here; null if it can. */
  readonly missing: (around: Surroundings) => string | null;
  readonly run: (args: A, around: Surroundings) => Promise<Answer | readonly Answer[]>;
};

export type ArgumentsOf<T extends ClaimArguments['type']> = Extract<ClaimArguments, { readonly type: T }>;

/** All methods for one type of claim. They all run at once: none is a fallback for another. */
export type Validator<A extends ClaimArguments> = {
  readonly type: A['type'];
  /** What it looks at, for whoever decides whether to allow it. */
  readonly reads: string;
  readonly risk: 'very low' | 'low';
  readonly methods: readonly Method<A>[];
};

export const nothing = (fault: string, evidence = ''): Answer => ({ says: 'nothing', fault, evidence });

export const always = (): null => null;

/** Methods that read files need a root. */
export const needsRoot = ({ reach }: Surroundings): string | null =>
  reach.roots.length === 0 ? 'no folder may be read; add one to settings.json' : null;

/** VAL-19: the same words whether the file exists or not. */
export const OUT_OF_REACH = 'outside the folders that may be read, or never read';
