import type { Saying, SeenFile, ValidationEnvironment } from '@yarnboard/domain';
import type { ClaimArguments } from '@yarnboard/language';
import type { DeclaredService } from '@yarnboard/protocol';
import type { Programs } from './programs.ts';
import type { Reach } from './reach.ts';
import type { SessionCalls } from './tool-calls.ts';

/** What one method found out. */
export type Answer = {
  readonly says: Saying;
  readonly isDecisive?: boolean;
  readonly evidence?: string;
  /** Why it says nothing. */
  readonly fault?: string;
  readonly foundAt?: readonly string[];
  readonly files?: readonly SeenFile[];
  /** Where it looked, when that is not where the method usually does. */
  readonly environment?: ValidationEnvironment;
};

/** What a method may use: the files in reach, the programs of the machine, the services that were declared. */
export type Surroundings = {
  readonly reach: Reach;
  readonly programs: Programs;
  readonly services: readonly DeclaredService[];
  readonly mayAskContainers: boolean;
  /** Processes that are part of the check itself. */
  readonly ownPids: ReadonlySet<number>;
  /** What was done in the session that the claim stands in; null where nobody knows, and for what has nothing to do with it. */
  readonly calls: SessionCalls | null;
  readonly signal: AbortSignal;
};

/** One way to check a claim. It never throws for what it meets: that is an answer. */
export type Method<A> = {
  readonly name: string;
  readonly environment: ValidationEnvironment;
  /** Why it cannot work here; null when it can. */
  readonly missing: (around: Surroundings) => string | null;
  readonly run: (args: A, around: Surroundings) => Promise<Answer | readonly Answer[]>;
};

export type ArgumentsOf<T extends ClaimArguments['type']> = Extract<ClaimArguments, { readonly type: T }>;

/** All methods of one type. All of them run, at once: none waits for another to fail. */
export type Validator<A extends ClaimArguments> = {
  readonly type: A['type'];
  /** What it looks at, for whoever is to allow it. */
  readonly reads: string;
  readonly risk: 'very low' | 'low';
  readonly methods: readonly Method<A>[];
};

export const nothing = (fault: string, evidence = ''): Answer => ({ says: 'nothing', fault, evidence });

export const always = (): null => null;

/** Methods that read files need a root. */
export const needsRoot = ({ reach }: Surroundings): string | null =>
  reach.roots.length === 0 ? 'no folder may be read; add one to settings.json' : null;

/** VAL-19: the same words whether it exists or not. */
export const OUT_OF_REACH = 'outside the folders that may be read, or never read';
